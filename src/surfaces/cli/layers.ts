/**
 * What a home is made of, layer by layer, the truth first: whether each is sound, what it means when it is not, and
 * the command that mends it.
 */
import type { Ailment } from '../../engine/home/doctor.ts'
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

type Finding = Ailment | StoreAilment | SessionNote

/** What each is for, and whether it can be made again. */
const meanings = {
  log: 'events.jsonl, the session itself',
  files: 'what tools changed in the project, and every undo and redo of it, whole',
  workspace: 'workspace.yaml and the own files; the yaml is made again from the log',
  checkpoints: 'summaries that compactions wrote; they follow the log',
  snapshot: 'makes opening fast; made again by a later turn',
  store: 'the index that search, SQL and reports ask; made again from the logs',
  board: 'notes that new sessions are given; a second copy is in the store',
} as const

type Layer = keyof typeof meanings

const REMOTE: LayerState = {
  layer: 'remote',
  state: 'none',
  message:
    'not configured: no copy of a session is kept elsewhere, so no history elsewhere can differ from what is here',
}

/** The findings of each session that was looked at, and those about all of them, if these were looked at. */
export function layersOf(
  sessions: readonly (readonly Finding[])[],
  shared: readonly Finding[] | undefined,
): LayerState[] {
  const looked = Object.keys(meanings).filter((layer) => shared !== undefined || layer !== 'board')
  return [...looked.map((layer) => stateOf(layer as Layer, sessions, shared ?? [])), REMOTE]
}

const order = ['note', 'stale', 'damage'] as const

function stateOf(
  layer: Layer,
  sessions: readonly (readonly Finding[])[],
  shared: readonly Finding[],
): LayerState {
  const isIll = (finding: Finding) => finding.layer === layer && finding.severity !== 'note'
  const ill = sessions.filter((findings) => findings.some(isIll)).length
  const findings = [...shared, ...sessions.flat()].filter((finding) => finding.layer === layer)
  const [worst] = findings.toSorted((a, b) => order.indexOf(b.severity) - order.indexOf(a.severity))
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
