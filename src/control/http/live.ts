/**
 * A session as it happens, for screens: its events after the last one that the screen has, what is told and never
 * stored, and what its machine and its commands are up to. Frames: `session`, `event` (with its id), `reset`, `notice`,
 * `ready`, `gone`. A rewind is a `reset` that names the first event which does not hold any more.
 */
import { parseJson } from '../../lib/limit-depth.ts'
import { commandsOf } from '../commands/commands.ts'
import type { Control } from '../control.ts'
import { ControlError } from '../control-error.ts'
import type { Told } from '../live/notices.ts'
import type { Asker } from '../people/scopes.ts'
import { isOwn, pathOf, readable, type SessionRow } from '../sessions/stored-session.ts'
import { findStream } from '../streams/find.ts'
import type { Stream } from '../streams/append-decision.ts'
import { commonHead } from '../streams/lineage.ts'
import { idAt, seqsOf } from '../streams/event-positions.ts'
import { readPage, type StreamRecord } from '../streams/read.ts'
import { told as toldCommand } from './command-routes.ts'
import { told as toldSession, toldToGuest } from './session-routes.ts'
import { frame, linesOf, sseOf } from './sse.ts'

type Watcher = { readonly asker: Asker; readonly id: string; readonly after?: string }

export async function liveSession(
  control: Control,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Response> {
  // What may not be watched is told so in place of a stream.
  await currentOf(control, watcher)
  return sseOf(control, { asker: watcher.asker, signal }, (until) =>
    framesOf(control, watcher, until),
  )
}

/** A screen that takes less than it is told does without what is oldest. */
const MOST_NOTICES = 500
const PING_MS = 10_000

async function* framesOf(
  control: Control,
  watcher: Watcher,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { db, tail, notices } = control
  let { session, stream } = await currentOf(control, watcher)
  const begun = await placeOf(control, stream, watcher.after)
  let next = begun.seq
  let isReady = false
  const waiting: Told[] = []
  /** Told when all events are that were there when these came: an idle does not overtake the answer. */
  const said: Told[] = []
  let woken = () => {}
  // A piece of a text cannot be redacted: guests get it when it is whole.
  const isGuest = watcher.asker.guestOf !== undefined
  using _listening = notices.listen(session, (fresh) => {
    if (isGuest) return
    waiting.push(...fresh)
    waiting.splice(0, Math.max(0, waiting.length - MOST_NOTICES))
    woken()
  })
  if (begun.isLost) yield frame('reset', {})
  yield await sessionFrame(control, watcher.asker, session)
  while (!signal.aborted) {
    const page = await readPage(db.query, stream, next)
    next = page.next
    const isNews = page.isEnd && !isReady
    isReady ||= page.isEnd
    const told = isGuest ? await Promise.all(page.records.map(redacted(control))) : page.records
    yield [
      ...told.map(eventFrame),
      ...(page.isEnd ? said.splice(0) : []).map((notice) => frame('notice', notice)),
      ...(isNews ? [frame('ready', {})] : []),
    ].join('')
    if (!page.isEnd) continue
    if (waiting.length === 0) {
      const round = new AbortController()
      const over = AbortSignal.any([signal, round.signal, AbortSignal.timeout(PING_MS)])
      const spoken = new Promise<void>((resolve) => (woken = resolve))
      await Promise.race([tail.changed(stream, over), tail.moved(session, over), spoken])
      round.abort()
    }
    if (signal.aborted) return
    said.push(...waiting.splice(0))
    // Who asks is looked at again: meanwhile it may have become private, or be deleted.
    const now = await currentOf(control, watcher).catch(goneOnly)
    if (now === undefined) return yield frame('gone', {})
    if (now.stream.id !== stream.id) {
      const common = commonHead(stream, now.stream)
      const upToEventId = common < next ? await idAt(db.query, stream, common + 1) : undefined
      if (common < next) yield frame('reset', upToEventId === undefined ? {} : { upToEventId })
      next = Math.min(next, common)
    }
    // Also when nothing happened: a screen always knows how old what it shows is.
    yield await sessionFrame(control, watcher.asker, now.session)
    ;({ session, stream } = now)
  }
}

/** What is not there any more ends a stream; a database that is away breaks it, and the screen comes back. */
function goneOnly(error: unknown): undefined {
  if (error instanceof ControlError && error.code === 'not_found') return undefined
  throw error
}

async function currentOf(
  { db, now }: Control,
  { asker, id }: Watcher,
): Promise<{ readonly session: SessionRow; readonly stream: Stream }> {
  const session = await readable(db.query, asker, id)
  const path = pathOf(id, session.generation)
  const stream = await findStream(db, db.query, { tenant: asker.tenant, path }, now())
  if (stream === undefined) throw new ControlError('not_found', 'There is no such session.')
  return { session, stream }
}

/** An event that the log does not have any more: the screen begins anew. */
async function placeOf(
  { db }: Control,
  stream: Stream,
  after: string | undefined,
): Promise<{ readonly seq: number; readonly isLost: boolean }> {
  if (after === undefined) return { seq: 0, isLost: false }
  const seq = (await seqsOf(db.query, stream, [after])).get(after)
  return { seq: seq ?? 0, isLost: seq === undefined }
}

const COMMANDS = 20

async function sessionFrame(control: Control, asker: Asker, session: SessionRow): Promise<string> {
  const { db, now } = control
  const { tenant, id } = session
  if (asker.guestOf !== undefined)
    return frame('session', await control.forGuest(toldToGuest(session, now())))
  const commands = isOwn(asker, session)
    ? (await commandsOf(db.query, { tenant, session: id }, now())).slice(0, COMMANDS)
    : []
  return frame('session', { ...toldSession(session, now()), commands: commands.map(toldCommand) })
}

const redacted =
  ({ forGuest }: Control) =>
  async (record: StreamRecord): Promise<StreamRecord> => {
    const event = parseJson(Buffer.from(record.bytes).toString())
    return { ...record, bytes: Buffer.from(JSON.stringify(await forGuest(event))) }
  }

const SAFE_ID = /^[\x21-\x7e]{1,200}$/

function eventFrame({ id, bytes }: StreamRecord): string {
  const name = id !== null && SAFE_ID.test(id) ? `id: ${id}\n` : ''
  return `event: event\n${name}${linesOf(Buffer.from(bytes).toString())}\n`
}
