/**
 * What a home is made of, layer by layer, the truth first: whether each is sound, what it means when it is not, and
 * the command that mends it.
 */
import type { Ailment } from '../../engine/sessions/doctor.ts'
import type { CopyReport } from '../../engine/remote-control.ts'
import type { SessionNote } from '../../store/doctor-session.ts'
import type { StoreAilment } from '../../store/doctor.ts'
import type { Cli } from './command.ts'
import { counted } from '../../lib/quantities.ts'
import { dim, green, red, yellow } from './render/span.ts'

type LayerState = {
  readonly layer: string
  readonly state: 'sound' | 'note' | 'stale' | 'damage' | 'none'
  readonly message: string
  /** How many are ill. */
  readonly sessions?: number
  readonly remedy?: string
}

/** Of the home itself. */
export type HomeFinding = {
  readonly layer: 'home'
  readonly severity: 'note' | 'damage'
  readonly message: string
  readonly remedy?: string
}

type Finding = Ailment | StoreAilment | SessionNote | HomeFinding

/** What each is for, and whether it can be made again. */
const meanings = {
  home: 'settings, keys and contents that all sessions share',
  log: 'events.jsonl, the session itself',
  files: 'what tools changed in the project, and every undo and redo of it, whole',
  workspace: 'workspace.yaml and the own files; the yaml is made again from the log',
  checkpoints: 'summaries that compactions wrote; they follow the log',
  snapshot: 'makes opening fast; made again by a later turn',
  store: 'the index that search, SQL and reports ask; made again from the logs',
  board: 'notes that new sessions are given; a second copy is in the store',
} as const

type Layer = keyof typeof meanings

/** The history of Mission Control is a view of its own: what it lacks or has otherwise is told with its reason. */
function remoteState(report: CopyReport | undefined): LayerState {
  const layer = 'remote'
  if (report === undefined)
    return {
      layer,
      state: 'none',
      message:
        'not configured: no copy of a session is kept elsewhere, so no history elsewhere can differ from what is here',
    }
  const { url, trouble, same, unwanted, differing, unread } = report
  if (trouble !== undefined)
    return { layer, state: 'note', message: `not compared: ${trouble} Nothing here depends on it.` }
  const told = [
    `${counted(same, 'copy', 'copies')} at ${url} ${same === 1 ? 'ends' : 'end'} where the session ends`,
    ...(unwanted > 0
      ? [`${counted(unwanted, 'session')} ${unwanted === 1 ? 'is' : 'are'} not sent there`]
      : []),
    ...(unread > 0
      ? [
          `${counted(unread, 'session')} there ${unread === 1 ? 'waits' : 'wait'} to be read for --cloud`,
        ]
      : []),
  ].join('; ')
  const late = differing.filter(({ canBeSynced }) => canBeSynced).length
  if (differing.length === 0) return { layer, state: 'sound', message: told }
  if (late === 0)
    return {
      layer,
      state: 'note',
      message: `${told}; ${differing.length} ${differing.length === 1 ? 'differs' : 'differ'} on purpose`,
    }
  return { layer, state: 'stale', message: told, sessions: late, remedy: 'reprise sync' }
}

const MOST_TOLD = 10

/** Each session whose history there is another one, with the reason. */
export function showDifferences({ out }: Pick<Cli, 'out'>, report: CopyReport | undefined): void {
  const { differing = [] } = report ?? {}
  for (const { id, what, why } of differing.slice(0, MOST_TOLD))
    out.line(yellow('! '), `Cloud history differs: ${id.slice(0, 8)} ${what}: ${why}.`)
  const more = differing.length - MOST_TOLD
  if (more > 0) out.line(dim(`  and ${counted(more, 'session')} more; --json has them all`))
}

/** The findings of each session that was looked at, and those about all of them, if these were looked at. */
export function layersOf(
  sessions: readonly (readonly Finding[])[],
  shared: readonly Finding[] | undefined,
  { remote, depth }: { readonly remote: CopyReport | undefined; readonly depth: Depth },
): LayerState[] {
  const looked = Object.keys(meanings).filter(
    (layer) => shared !== undefined || !OF_HOME.has(layer),
  )
  return [
    ...looked.map((layer) => stateOf(layer as Layer, { sessions, shared: shared ?? [], depth })),
    remoteState(remote),
  ]
}

const OF_HOME: ReadonlySet<string> = new Set(['home', 'board'])

/** What a quick look does not read to its end. */
const READ_WHOLE: ReadonlySet<string> = new Set(['log', 'files'])

type Depth = 'quick' | 'whole'

const order = ['note', 'stale', 'damage'] as const

function stateOf(
  layer: Layer,
  {
    sessions,
    shared,
    depth,
  }: {
    readonly sessions: readonly (readonly Finding[])[]
    readonly shared: readonly Finding[]
    readonly depth: Depth
  },
): LayerState {
  const isIll = (finding: Finding) => finding.layer === layer && finding.severity !== 'note'
  const ill = sessions.filter((findings) => findings.some(isIll)).length
  const findings = [...shared, ...sessions.flat()].filter((finding) => finding.layer === layer)
  const [worst] = findings.toSorted((a, b) => order.indexOf(b.severity) - order.indexOf(a.severity))
  if (worst === undefined && depth === 'quick' && READ_WHOLE.has(layer))
    return {
      layer,
      state: 'note',
      message: 'what is kept beside the log was not read: without --quick it is',
    }
  if (worst === undefined) return { layer, state: 'sound', message: meanings[layer] }
  const { severity, message, remedy } = worst
  return {
    layer,
    state: severity,
    message,
    ...(ill > 0 && { sessions: ill }),
    ...(remedy !== undefined && { remedy: ill > 1 ? 'reprise doctor --repair' : remedy }),
  }
}

const marks = {
  sound: green('✓'),
  note: dim('·'),
  stale: yellow('!'),
  damage: red('✗'),
  none: dim('–'),
} as const

const WIDTH = Math.max(...Object.keys(meanings).map((layer) => layer.length)) + 2

/** What is ill was told with its session; here it is one word and the remedy. */
export function showLayers({ out }: Pick<Cli, 'out'>, layers: readonly LayerState[]): void {
  for (const { layer, state, message, sessions, remedy } of layers) {
    const where = sessions === undefined ? '' : ` in ${counted(sessions, 'session')}`
    const isTold = state === 'stale' || state === 'damage'
    const mends = remedy === undefined ? '' : `: ${remedy} mends it`
    out.line(
      marks[state],
      ' ',
      layer.padEnd(WIDTH),
      isTold ? `${words[state]}${where}${mends}` : dim(message),
    )
  }
}

const words = { stale: 'stale', damage: 'damaged' } as const
