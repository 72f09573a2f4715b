/** `doctor`: what is wrong, what exactly is lost, and with --repair what was done about it. */
import { homedir } from 'node:os'
import { grouped } from '../../../lib/grouped.ts'
import type { Ailment, Diagnosis, Mended } from '../../../engine/home/doctor.ts'
import type { Leftovers } from '../../../engine/home/leftovers.ts'
import type { Engine } from '../../../engine/engine.ts'
import { EngineError } from '../../../engine/errors.ts'
import { sandboxStanding } from '../../../engine/turn/sandbox-standing.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Cli, Run } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { dueOf } from '../../../commands/migrate.ts'
import type { DueSessions as Due } from '../../../commands/migrate.ts'
import { serverTroubles } from '../../../config/check-servers.ts'
import { readConfig } from '../../../config/load.ts'
import { ruleTroubles } from '../../../config/rule-texts.ts'
import { findSession } from '../../../commands/find-session.ts'
import { copiesText } from '../copies-text.ts'
import { layersOf, showDifferences, showLayers } from '../layers.ts'
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
  const ids =
    word === undefined
      ? (await engine.list()).map(({ id }) => id)
      : [await findSession(cli, engine, word)]
  const visits: Visit[] = []
  const repair = given.flag('repair')
  const progress = tellProgress(cli, ids.length)
  for (const id of ids) {
    if (cli.signal.aborted) break
    const visit = await look(engine, id, repair)
    visits.push(visit)
    progress(visits.length)
    if (!cli.json) show(cli, visit, { always: word !== undefined })
  }
  const ill = visits.filter((visit) => !isWell(visit))
  const [only] = word === undefined ? [] : ids
  const remote = await (await engine.remote?.())?.compare(ids)
  if (only !== undefined) {
    const notes = await explain(cli, only)
    const layers = layersOf([[...visits.flatMap(findingsOf), ...notes]], undefined, remote)
    if (cli.json)
      cli.out.json({ sessions: visits.map(toJson), ill: ill.length, notes, layers, remote })
    else {
      showNotes(cli, notes)
      showDifferences(cli, remote)
      showLayers(cli, layers)
    }
    return codeOf(ill)
  }
  const left = await engine.leftovers({ clear: repair })
  const store = await visitStore(cli, { repair })
  const { ailments } = store.after ?? store.diagnosis
  const layers = layersOf(visits.map(findingsOf), ailments, remote)
  const copies = await engine.copies()
  const config = await readConfig(engine.fs)
  const servers = await serverTroubles(config, { env: cli.host.env, cwd: cli.cwd })
  const rules = ruleTroubles(config)
  const machine = { env: cli.host.env, home: homedir() }
  const config = await readConfig(engine.fs).catch(() => undefined) // a broken one is told elsewhere
  const sandbox = await sandboxStanding(config?.sandbox)
  const due = await dueOf({ engine, machine, now: cli.now })
  if (cli.json)
    cli.out.json({
      sessions: visits.map(toJson),
      ill: ill.length,
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
    showStore(cli, store)
    showDifferences(cli, remote)
    showLayers(cli, layers)
    const told = copiesText(copies)
    if (told !== undefined) cli.out.line(dim(told))
    for (const each of servers) cli.out.line(yellow('! '), `${each} reprise servers tries all.`)
    for (const each of rules) cli.out.line(yellow('! '), each)
    showLeft(cli, left, { isCleared: repair })
    if (!sandbox.on) cli.out.line(yellow('! '), sandbox.says)
    for (const each of due) cli.out.line(yellow('! '), dueText(each))
    cli.out.line(`${counted(visits.length, 'session')} looked at, ${ill.length} to mend.`)
  }
  return isSound(store) ? codeOf(ill) : exitCodes.corrupt
}

function dueText({ agent, title, days, sessions, soon, isWatched }: Due): string {
  const left = `${counted(sessions, 'session')} of it ${sessions === 1 ? 'is' : 'are'} not here`
  const gone = soon > 0 ? `, ${soon} of them gone within a week` : ''
  const always = isWatched ? '' : ', --service on from now on'
  return `${title} keeps its sessions ${counted(days, 'day')}; ${left}${gone}: reprise import --from ${agent} keeps them${always}.`
}

function showLeft(
  { out }: Pick<Cli, 'out'>,
  { paths, forgetting }: Leftovers,
  { isCleared }: { readonly isCleared: boolean },
): void {
  const what = counted(paths.length, 'file or folder', 'files or folders')
  if (paths.length > 0 && isCleared) out.line(green('cleared: '), `${what} of killed processes.`)
  else if (paths.length > 0)
    out.line(yellow('! '), `${what} of killed processes: reprise doctor --repair clears them.`)
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

async function look(engine: Engine, id: SessionId, repair: boolean): Promise<Visit> {
  const diagnosis = await engine.doctor(id)
  if (!repair || diagnosis.healthy) return { diagnosis }
  try {
    return { diagnosis, mended: await engine.mend(id) }
  } catch (error) {
    // One session that is in use does not keep the others ill.
    if (error instanceof EngineError) return { diagnosis, error }
    throw error
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
  else if (!healthy) out.line('  ', dim(`reprise doctor ${id} --repair mends it.`))
}

function showMended({ out }: Pick<Cli, 'out'>, { log, after }: Mended): void {
  out.line(
    '  ',
    green('mended: '),
    `${counted(log.events, 'event')} kept, ${log.recovered.length} set right.`,
  )
  for (const { start, end, keptAs, message } of log.lost) {
    out.line('  ', red('lost '), `bytes ${start} to ${end}: ${message} `, dim(`kept as ${keptAs}`))
  }
  if (log.startRebuilt) out.line('  ', 'The beginning was written anew.')
  if (log.original !== undefined) out.line('  ', dim(`The log as it was: ${log.original}`))
  if (!after.healthy) out.line('  ', red('It is still not sound.'))
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
