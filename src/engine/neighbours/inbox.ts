/**
 * The inbox of a session that is at work here: what other processes ask of it is taken in the order in which it came,
 * each letter once, and answered. It is open only while something runs; what was left before that is swept unread.
 * Whatever is wrong with it, the work itself goes on.
 */
import { readLetter } from '../../format/letter.ts'
import type { Letter, Reply } from '../../format/letter.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { serially } from '../../lib/serially.ts'
import { answer } from '../turn/answer.ts'
import { cancel } from '../turn/cancel.ts'
import type { EngineContext } from '../context.ts'
import { dispatch } from '../turn/dispatch.ts'
import { EngineError } from '../errors.ts'
import {
  MOST_LETTERS,
  encodeFile,
  inboxFolder,
  letterPath,
  readSmall,
  replyPath,
  viewInbox,
} from './inbox-files.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession, RunningTurn } from '../live/live-session.ts'
import { answerQuestion } from '../turn/questions.ts'

/** A reply that nobody fetched so long is nobody's. */
const FORGOTTEN_MS = 60_000

/** Letters are taken until the work is done. To be called by whoever holds the lease. */
export async function withInbox<T>(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  work: () => Promise<T>,
): Promise<T> {
  using _inbox = await openInbox(engine, session, running)
  return await work()
}

async function openInbox(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
): Promise<Disposable | undefined> {
  const { fs } = engine
  // Files that a client keeps are reached through this process alone.
  if (fs.backend === 'client') return undefined
  const folder = inboxFolder(session.dir)
  let isOpen = true
  const look = serially(async () => {
    if (isOpen) await takeAll(engine, session, running, folder)
  })
  // A folder that cannot be read now is looked at again with its next change.
  const lookQuietly = () => void look().catch(() => {})
  try {
    await fs.mkdir(folder)
    await sweep(engine, folder)
    const watch = fs.watch(folder, lookQuietly)
    return {
      [Symbol.dispose]() {
        isOpen = false
        watch[Symbol.dispose]()
      },
    }
  } catch {
    return undefined
  }
}

/** Nothing of this turn is in the log yet, so nothing that lies here can be meant for it. */
async function sweep({ fs }: EngineContext, folder: string): Promise<void> {
  const { letters, replies, questions, others } = await viewInbox(fs, folder)
  const forgotten = replies.filter(({ atMs }) => Date.now() - atMs > FORGOTTEN_MS)
  const old = [
    ...letters.map((name) => `${name}.json`),
    ...forgotten.map(({ file }) => file),
    ...questions.map((requestId) => `question-${requestId}.json`),
    ...others,
  ]
  for (const name of old) await fs.remove(`${folder}/${name}`)
}

async function takeAll(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  folder: string,
): Promise<void> {
  const { letters, others } = await viewInbox(engine.fs, folder)
  const odd = [...others, ...letters.slice(MOST_LETTERS).map((name) => `${name}.json`)]
  for (const name of odd) await engine.fs.remove(`${folder}/${name}`)
  let unread = odd.length
  for (const name of letters.slice(0, MOST_LETTERS))
    if (!(await take(engine, session, running, folder, name))) unread++
  if (unread > 0) tellUnread(session, unread)
}

/** False when it was no letter. It is gone before anything is done about it, so it is never acted on twice. */
async function take(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  folder: string,
  name: string,
): Promise<boolean> {
  const { fs } = engine
  const path = letterPath(folder, name)
  const text = await readSmall(fs, path)
  if (text === undefined) return true
  const letter = readLetter(text)
  const taken = encodeFile({ version: 1, status: 'taken' } satisfies Reply)
  // Somebody was first: whoever wrote it has withdrawn it, or it was taken in an earlier life.
  const isOurs = letter !== undefined && (await fs.createExclusive(replyPath(folder, name), taken))
  await fs.remove(path)
  if (letter === undefined) return false
  if (!isOurs) return true
  const replied = act(engine, session, running, letter)
    .catch(refusal)
    .then((reply) => fs.writeAtomic(replyPath(folder, name), encodeFile(reply), { durable: false }))
  // A message may wait for the agent to begin; what comes behind it, such as the word to stop, does not.
  if (letter.kind === 'send') replied.catch(() => {})
  else await replied
  return true
}

async function act(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  letter: Letter,
): Promise<Reply> {
  if (letter.kind === 'answer') {
    const { requestId, decision: kind, feedback } = letter
    answer(session, requestId, {
      kind,
      by: 'person',
      ...defined({ feedback }),
    })
    return done
  }
  if (letter.kind === 'answer-question') {
    answerQuestion(session, letter.requestId, letter.answer)
    return done
  }
  if (session.running !== running || !isMeant(session, running, letter.running)) {
    return { version: 1, status: 'over' }
  }
  if (letter.kind === 'cancel') {
    cancel(session)
    return done
  }
  const { message, whenBusy } = letter
  const sent = await dispatch(engine, session, message, { whenBusy })
  sent.done.catch((error: unknown) => tellFailed(session, error))
  return { ...done, how: sent.isQueued ? 'queued' : 'steered' }
}

const done = { version: 1, status: 'done' } as const

/** A turn is known by its id, a tool that a person runs by that of its call. */
const isMeant = (session: LiveSession, { turnId }: RunningTurn, id: string): boolean =>
  id === turnId || stateOf(session).pendingTools.some(({ toolCallId }) => toolCallId === id)

function refusal(error: unknown): Reply {
  const code = error instanceof EngineError ? error.code : 'internal'
  const message = errorText(error)
  return { version: 1, status: 'refused', code, message: message.slice(0, 2000) }
}

const tellUnread = (session: LiveSession, count: number) =>
  session.feed.tell({
    type: 'session.error',
    data: {
      errorType: 'inbox',
      message: `${count === 1 ? 'A file' : `${count} files`} in the inbox of this session could not be read and ${count === 1 ? 'was' : 'were'} removed. Nothing was done about ${count === 1 ? 'it' : 'them'}.`,
    },
  })

const tellFailed = (session: LiveSession, error: unknown) =>
  session.feed.tell({
    type: 'session.error',
    data: {
      errorType: 'inbox',
      message: `A message from another process could not be answered: ${errorText(error)}`,
    },
  })
