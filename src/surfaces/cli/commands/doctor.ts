/** `doctor`: what is wrong, what exactly is lost, and with --repair what was done about it. */
import { homedir } from 'node:os'
import { BadConfig, type Config } from '../../../config/config-file.ts'
import { CONFIG, readConfig, unknownSettings } from '../../../config/load.ts'
import { attempt } from '../../../lib/each-apart.ts'
import { grouped } from '../../../lib/grouped.ts'
import type { Ailment, Diagnosis, Mended } from '../../../engine/sessions/doctor.ts'
import type { HomeFault } from '../../../engine/sessions/home-faults.ts'
import type { Leftovers } from '../../../engine/sessions/orphan-cleanup.ts'
import type { Engine } from '../../../engine/engine.ts'
import { EngineError } from '../../../engine/errors.ts'
import { sandboxStanding } from '../../../engine/turn/sandbox-standing.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Cli, Run } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { dueOf, type DueSessions as Due } from '../../../commands/migrate.ts'
import { serverTroubles } from '../../../config/check-servers.ts'
import { ruleTroubles } from '../../../config/rule-texts.ts'
import { findSession } from '../../../commands/find-session.ts'
import { copiesText } from '../copies-text.ts'
import { layersOf, showDifferences, showLayers, type HomeFinding } from '../layers.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { bold, dim, green, red, yellow } from '../render/span.ts'
import { explain, isSound, showNotes, showStore, visitStore } from '../visit-store.ts'

/** What was found, what was done about it, or why nothing could be done. */
type Visit = {
  readonly diagnosis: Diagnosis
  readonly mended?: Mended
  readonly error?: EngineError
}

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const word = given.word(0)
  const [repair, depth] = [given.flag('repair'), given.flag('quick') ? 'quick' : 'whole'] as const
  const troubles: HomeFinding[] = []
  /** Nothing that is in the way of one part keeps the others from being looked at. */
  const part = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    const outcome = await attempt(work)
    if ('ok' in outcome) return outcome.ok
    const message = `${what} could not be looked at: ${outcome.reason}`
    troubles.push({ layer: 'home', severity: 'damage', message })
    return undefined
  }
  const ids =
    word === undefined
      ? ((await part('The list of sessions', () => allOf(engine))) ?? [])
      : [await findSession(cli, engine, word)]
  const visits: Visit[] = []
  const progress = tellProgress(cli, ids.length)
  for (const id of ids) {
    if (cli.signal.aborted) break
    const visit = await look(engine, id, { repair, depth })
    visits.push(visit)
    progress(visits.length)
    if (!cli.json) show(cli, visit, { always: word !== undefined })
  }
  const ill = visits.filter((visit) => !isWell(visit))
  const [only] = word === undefined ? [] : ids
  const remote = await part('Mission Control', async () => (await engine.remote?.())?.compare(ids))
  if (only !== undefined) {
    const notes = (await part('The session store', () => explain(cli, only))) ?? []
    const findings = [...visits.flatMap(findingsOf), ...notes]
    const layers = layersOf([findings], undefined, { remote, depth })
    if (cli.json)
      cli.out.json({ sessions: visits.map(toJson), ill: ill.length, notes, layers, remote })
    else {
      showNotes(cli, notes)
      showDifferences(cli, remote)
      showLayers(cli, layers)
    }
    return codeOf(ill)
  }
  const faults = (await part('The home', () => engine.homeFaults())) ?? []
  const left = await part('What killed processes left', () => leftIn(engine, repair))
  const store = await part('The session store', () => visitStore(cli, { repair }))
  const copies = await part('Copies of files', () => engine.copies())
  // What is wrong with the settings themselves is said with the home.
  const settings: Config = await readConfig(engine.fs).catch(() => ({}))
  const servers =
    (await part('Tool servers', () =>
      serverTroubles(settings, { env: cli.host.env, cwd: cli.cwd }),
    )) ?? []
  const rules = ruleTroubles(settings)
  const sandbox = await sandboxStanding(settings.sandbox)
  const machine = { env: cli.host.env, home: homedir() }
  const due = (await part('Other agents', () => dueOf({ engine, machine, now: cli.now }))) ?? []
  const ofHome = [...faultsOf(faults), ...(await ofSettings(engine.fs, faults)), ...troubles]
  const { ailments = [] } = store?.after ?? store?.diagnosis ?? {}
  const layers = layersOf(visits.map(findingsOf), [...ofHome, ...ailments], { remote, depth })
  if (cli.json)
    cli.out.json({
      sessions: visits.map(toJson),
      ill: ill.length,
      home: ofHome,
      store,
      layers,
      copies,
      servers,
      rules,
      left,
      due,
      remote,
      sandbox,
    })
  else {
    if (ofHome.length > 0) cli.out.line(bold(cli.home.path))
    showNotes(cli, ofHome)
    if (store !== undefined) showStore(cli, store)
    showDifferences(cli, remote)
    showLayers(cli, layers)
    const told = copies && copiesText(copies)
    if (told !== undefined) cli.out.line(dim(told))
    for (const each of servers) cli.out.line(yellow('! '), `${each} reprise servers tries all.`)
    for (const each of rules) cli.out.line(yellow('! '), each)
    if (left !== undefined) showLeft(cli, left)
    if (!sandbox.on) cli.out.line(yellow('! '), sandbox.says)
    for (const each of due) cli.out.line(yellow('! '), dueText(each))
    const named = ill.slice(0, MOST_NAMED).map(({ diagnosis }) => diagnosis.id)
    const rest = ill.length > named.length ? ` and ${ill.length - named.length} more` : ''
    const which = named.length === 0 ? '' : `: ${named.join(', ')}${rest}`
    const bad = ofHome.filter(({ severity }) => severity !== 'note').length
    const also = bad === 0 ? '' : ` ${counted(bad, 'part')} of the home to mend.`
    cli.out.line(
      `${counted(visits.length, 'session')} looked at, ${ill.length} to mend${which}.${also}`,
    )
  }
  const isHomeSound = ofHome.every(({ severity }) => severity === 'note')
  return isHomeSound && store !== undefined && isSound(store) ? codeOf(ill) : exitCodes.corrupt
}

/** In the last line; each was named above with its reason. */
const MOST_NAMED = 10

/** Also those that no list shows, because they cannot be used. */
async function allOf(engine: Engine): Promise<readonly SessionId[]> {
  const listed = (await engine.list()).map(({ id }) => id)
  const { unusable } = await engine.unlisted()
  const known = new Set(listed)
  return [...listed, ...unusable.flatMap(({ id }) => (known.has(id) ? [] : [id]))]
}

const faultsOf = (faults: readonly HomeFault[]): HomeFinding[] =>
  faults.map(({ message }) => ({
    layer: 'home',
    severity: 'damage',
    message: `${message} Put the real one back in its place, or move it away.`,
  }))

async function ofSettings(fs: Engine['fs'], faults: readonly HomeFault[]): Promise<HomeFinding[]> {
  if (faults.some(({ path }) => path === CONFIG)) return []
  const unknown = (await unknownSettings(fs)).map((message): HomeFinding => ({
    layer: 'home',
    severity: 'note',
    message,
  }))
  const read = await attempt(() => readConfig(fs))
  if ('ok' in read || !(read.cause instanceof BadConfig)) return unknown
  return [...unknown, { layer: 'home', severity: 'damage', message: read.reason }]
}

/** After they were cleared it is looked again: what is still there then could not be. */
async function leftIn(engine: Engine, clear: boolean): Promise<Left> {
  const before = await engine.leftovers({ clear })
  const after = clear ? await engine.leftovers({ clear: false }) : before
  return { ...after, cleared: before.paths.length - after.paths.length }
}

type Left = Leftovers & { readonly cleared: number }

function dueText({ agent, title, days, sessions, soon, isWatched }: Due): string {
  const left = `${counted(sessions, 'session')} of it ${sessions === 1 ? 'is' : 'are'} not here`
  const gone = soon > 0 ? `, ${soon} of them gone within a week` : ''
  const always = isWatched ? '' : ', --service on from now on'
  return `${title} keeps its sessions ${counted(days, 'day')}; ${left}${gone}: reprise import --from ${agent} keeps them${always}.`
}

function showLeft({ out }: Pick<Cli, 'out'>, { paths, forgetting, cleared }: Left): void {
  const what = (count: number) => counted(count, 'file or folder', 'files or folders')
  if (cleared > 0) out.line(green('cleared: '), `${what(cleared)} of killed processes.`)
  if (paths.length > 0)
    out.line(
      yellow('! '),
      `${what(paths.length)} of killed processes: reprise doctor --repair clears them.`,
    )
  for (const at of forgetting)
    out.line(
      yellow('! '),
      `A text that was to be forgotten at ${at} may still stand in this home: say the same "reprise forget" again.`,
    )
}

function codeOf(ill: readonly Visit[]): number {
  const [kept] = ill.flatMap(({ error }) => error ?? [])
  if (kept !== undefined) return exitCodes[kept.code]
  return ill.length === 0 ? OK : exitCodes.corrupt
}

async function look(
  engine: Engine,
  id: SessionId,
  { repair, depth }: { readonly repair: boolean; readonly depth: 'quick' | 'whole' },
): Promise<Visit> {
  const diagnosis = await engine.doctor(id, { depth })
  if (!repair || diagnosis.healthy) return { diagnosis }
  // One session that is in use, or cannot be changed, does not keep the others ill.
  const mended = await attempt(() => engine.mend(id))
  if ('ok' in mended) return { diagnosis, mended: mended.ok }
  const { cause, reason } = mended
  return {
    diagnosis,
    error: cause instanceof EngineError ? cause : new EngineError('corrupt', reason, { cause }),
  }
}

const findingsOf = ({ diagnosis, mended }: Visit) => (mended?.after ?? diagnosis).ailments

const isWell = ({ diagnosis, mended }: Visit) => (mended?.after ?? diagnosis).healthy

const toJson = ({ diagnosis, mended, error }: Visit) => ({
  ...diagnosis,
  ...(mended !== undefined && { mended: { log: mended.log, healthy: mended.after.healthy } }),
  ...(error !== undefined && { error: { code: error.code, message: error.message } }),
})

const marks: Record<Ailment['severity'], ReturnType<typeof red>> = {
  note: dim('·'),
  stale: yellow('!'),
  damage: red('✗'),
}

function show(
  { out }: Cli,
  { diagnosis, mended, error }: Visit,
  { always }: { always: boolean },
): void {
  const { id, healthy, ailments, log } = diagnosis
  if (healthy && !always) return
  const lost = log.lostBytes > 0 ? `, ${grouped(log.lostBytes)} bytes unreadable` : ''
  out.line(
    bold(id),
    healthy ? green(' sound') : red(' to mend'),
    dim(` ${counted(log.events, 'event')}, ${sizeText(log.bytes)}${lost}`),
  )
  for (const { layer, severity, message } of ailments) {
    out.line('  ', marks[severity], ' ', dim(`${layer}: `), message)
  }
  if (error !== undefined) out.line('  ', red('not mended: '), error.message)
  else if (mended !== undefined) showMended({ out }, mended)
  else if (ailments.some(({ remedy }) => remedy !== undefined))
    out.line('  ', dim(`reprise doctor ${id} --repair mends it.`))
}

function showMended({ out }: Pick<Cli, 'out'>, { log, after }: Mended): void {
  out.line(
    '  ',
    after.healthy ? green('mended: ') : red('not mended: '),
    `${counted(log.events, 'event')} kept, ${log.recovered.length} set right.`,
  )
  for (const { start, end, keptAs, message } of log.lost) {
    out.line('  ', red('lost '), `bytes ${start} to ${end}: ${message} `, dim(`kept as ${keptAs}`))
  }
  if (log.startRebuilt) out.line('  ', 'The beginning was written anew.')
  if (log.original !== undefined) out.line('  ', dim(`The log as it was: ${log.original}`))
  for (const { layer, severity, message } of after.healthy ? [] : after.ailments)
    out.line('  ', red('still '), marks[severity], ' ', dim(`${layer}: `), message)
}

const SECOND_MS = 1000

/** Only when it takes long enough to wonder. */
function tellProgress(cli: Cli, total: number): (done: number) => void {
  let toldMs = Date.now()
  return (done) => {
    if (Date.now() - toldMs < SECOND_MS || done === total) return
    toldMs = Date.now()
    cli.out.note(dim(`${done} of ${counted(total, 'session')} looked at`))
  }
}
