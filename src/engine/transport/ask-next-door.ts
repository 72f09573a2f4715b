/**
 * Asks something of the process that is at work in a session, and learns what became of it. A request is acted on once
 * or never: when its time is over it is withdrawn, and the asker knows that nothing was done.
 */
import {
  MOST_REQUEST_BYTES,
  readReply,
  type InboxReply,
  type OperationRequest,
} from '../../format/inbox.ts'
import { deferred } from '../../lib/deferred.ts'
import { readLease, type Holder } from '../../log/lease.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError, type ErrorCode } from '../errors.ts'
import {
  MOST_REQUESTS,
  SERVING,
  encodeFile,
  inboxFolder,
  requestPath,
  newRequestName,
  readSmall,
  replyPath,
  viewInbox,
} from './inbox-files.ts'
import { asFormer, resultOfFormer } from './former-inbox.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'

/** How long a process that is at work may take to look. */
export const PATIENCE_MS = 5_000
/** Between two looks when no change is told. */
const LOOK_MS = 200

/** Another process that may write the session, and lives. */
export async function holderElsewhere(
  { fs }: EngineContext,
  session: LiveSession,
): Promise<Holder | undefined> {
  const { state } = session.writing
  if (state !== 'none' && state !== 'yielding') return undefined
  const holder = await readLease(fs, session.dir)
  return holder?.alive === true ? holder : undefined
}

type Posted = Extract<InboxReply, { status: 'done' | 'over' }>

/** `over`: what the request is about has ended, or its process has; nothing was done. Throws what the other one refused. */
export async function askNextDoor(
  engine: EngineContext,
  session: LiveSession,
  request: OperationRequest,
  isOver: (state: SessionState) => boolean | Promise<boolean>,
): Promise<Posted> {
  const { fs } = engine
  const folder = inboxFolder(session.dir)
  const name = newRequestName(Date.now())
  // The release before leaves the mark empty.
  const isFormer = (await readSmall(fs, `${folder}/${SERVING}`)) === ''
  const bytes = encodeFile(isFormer ? asFormer(request) : request)
  if (bytes.length > MOST_REQUEST_BYTES) throw tooLong(session)
  if ((await viewInbox(fs, folder)).requests.length >= MOST_REQUESTS) throw tooMany(session)
  const deadlineMs = performance.now() + PATIENCE_MS
  using changes = listen(engine, session, folder)
  await fs.createExclusive(requestPath(folder, name), bytes)
  try {
    for (;;) {
      const isWaiting = (await fs.stat(requestPath(folder, name))) !== undefined
      const reply = await replyIn(engine, folder, name)
      // Taken requests have a reply first: without one it was swept, when other work began there.
      if (reply === undefined && !isWaiting) return { version: 1, status: 'over' }
      // One that was withdrawn stays until it is swept: the other one may have read the request a moment before.
      if (reply !== undefined && reply.status !== 'taken') await fs.remove(replyPath(folder, name))
      if (reply?.status === 'refused') throw new EngineError(codeOf(reply.code), reply.message)
      if (reply?.status === 'over') return reply
      if (reply?.status === 'done')
        return isFormer ? { ...reply, result: resultOfFormer(request.operation, reply) } : reply
      await session.watcher.refresh()
      const holder = await holderElsewhere(engine, session)
      const isLate = performance.now() >= deadlineMs
      if (isLate || holder === undefined || (await isOver(stateOf(session)))) {
        if (await withdraw(engine, folder, name)) {
          if (isLate && holder !== undefined) throw unheard(session, holder)
          return { version: 1, status: 'over' }
        }
        const isTaken = (await replyIn(engine, folder, name))?.status === 'taken'
        if (isTaken && (isLate || holder === undefined)) throw untold(session)
        if (!isTaken) continue
      }
      await changes.next(Math.min(LOOK_MS, Math.max(1, deadlineMs - performance.now())))
    }
  } finally {
    await fs.remove(requestPath(folder, name))
  }
}

/** Waits until the log says so, as long as a process may take. False when it never did. */
export async function recorded(
  engine: EngineContext,
  session: LiveSession,
  isSo: (state: SessionState) => boolean,
): Promise<boolean> {
  const deadlineMs = performance.now() + PATIENCE_MS
  using changes = listen(engine, session, inboxFolder(session.dir))
  for (;;) {
    await session.watcher.refresh()
    if (isSo(stateOf(session))) return true
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) return false
    await changes.next(Math.min(LOOK_MS, leftMs))
  }
}

/** Waits for a change in the folder or in the log. */
function listen(engine: EngineContext, session: LiveSession, folder: string) {
  let hasChanged = false
  let wake = () => {}
  const onChange = () => {
    hasChanged = true
    wake()
  }
  const watch = engine.fs.watch(folder, onChange)
  const subscription = session.feed.subscribe(onChange)
  return {
    async next(ms: number): Promise<void> {
      const { promise, resolve } = deferred<void>()
      wake = resolve
      const timer = setTimeout(resolve, ms)
      if (hasChanged) resolve()
      await promise
      clearTimeout(timer)
      hasChanged = false
    },
    [Symbol.dispose]() {
      watch[Symbol.dispose]()
      subscription[Symbol.dispose]()
    },
  }
}

async function replyIn(
  { fs }: EngineContext,
  folder: string,
  name: string,
): Promise<InboxReply | undefined> {
  const text = await readSmall(fs, replyPath(folder, name))
  return text === undefined ? undefined : readReply(text)
}

/** False when the other one has it already. */
const withdraw = ({ fs }: EngineContext, folder: string, name: string): Promise<boolean> =>
  fs.createExclusive(
    replyPath(folder, name),
    encodeFile({ version: 1, status: 'withdrawn' } satisfies InboxReply),
  )

const CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'not_found',
  'invalid',
  'busy',
  'conflict',
  'cancelled',
  'not_durable',
])
const codeOf = (code: string): ErrorCode => (CODES.has(code) ? (code as ErrorCode) : 'conflict')

const words = ({ label, pid, host }: Holder): string => `${label}, pid ${pid} on ${host}`

const unheard = (session: LiveSession, holder: Holder): EngineError =>
  new EngineError(
    'unreachable',
    `The process that is at work in session ${session.id} (${words(holder)}) did not answer. ` +
      `Nothing was changed. Try again, or do it there.`,
    { details: { sessionId: session.id, holder } },
  )

const untold = (session: LiveSession): EngineError =>
  new EngineError(
    'conflict',
    `The process that is at work in session ${session.id} took this and did not say what became of it. ` +
      `Look at the session before you try again.`,
    { details: { sessionId: session.id } },
  )

const tooLong = (session: LiveSession): EngineError =>
  new EngineError(
    'invalid',
    `This is too long for the process that is at work in session ${session.id}: at most ${MOST_REQUEST_BYTES / 1024} KiB can be passed on. ` +
      `Nothing was sent. Wait for the end of its turn, or keep the text in a file.`,
  )

const tooMany = (session: LiveSession): EngineError =>
  new EngineError(
    'busy',
    `${MOST_REQUESTS} requests wait for the process that is at work in session ${session.id}. Nothing was sent. Try again later.`,
  )
