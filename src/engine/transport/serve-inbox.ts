/**
 * The inbox of a session that is at work here: what other processes ask of it is taken in the order in which it came,
 * each request once, and answered. It is open while something runs or waits in the queue; what was left before that is
 * swept unread. Whatever is wrong with it, the work itself goes on.
 */
import { readRequest, type InboxReply, type InboxRequest } from '../../format/inbox.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { encodeText } from '../../lib/bytes.ts'
import { errorText } from '../../lib/error-text.ts'
import { serially } from '../../lib/coalesce.ts'
import { EngineError } from '../errors.ts'
import type { Feed } from '../live/feed.ts'
import type { LiveSession } from '../live/live-session.ts'
import { underLease } from '../live/under-lease.ts'
import {
  MOST_REQUESTS,
  SERVING,
  encodeFile,
  inboxFolder,
  readSmall,
  replyPath,
  requestPath,
  viewInbox,
} from './inbox-files.ts'

/** A reply that was not fetched for so long is not waited for. */
const FORGOTTEN_MS = 60_000

type ServeRequest = (request: InboxRequest) => Promise<InboxReply>

/** Requests are taken until it is disposed. To be called by the holder of the lease. */
export async function openInbox(
  fs: SessionFs,
  session: Pick<LiveSession, 'dir' | 'feed' | 'writing'>,
  serve: ServeRequest,
): Promise<AsyncDisposable | undefined> {
  if (!fs.isShared) return undefined
  const { dir, feed } = session
  const folder = inboxFolder(dir)
  const isOurs = underLease(session)
  let isOpen = true
  const look = serially(async () => {
    if (isOpen && (await isOurs())) await takeAll(fs, feed, folder, serve)
  })
  // A folder that cannot be read now is looked at again with its next change.
  const lookQuietly = () => void look().catch(() => {})
  try {
    await fs.mkdir(folder)
    await sweep(fs, folder)
    await fs.createExclusive(`${folder}/${SERVING}`, encodeText('operations'))
    const watch = fs.watch(folder, lookQuietly)
    return {
      async [Symbol.asyncDispose]() {
        isOpen = false
        watch[Symbol.dispose]()
        // A sign that stays is read as one of a living holder only: the lease tells.
        if (await isOurs()) await fs.remove(`${folder}/${SERVING}`).catch(() => {})
      },
    }
  } catch {
    // Others cannot ask; the work here does not depend on them.
    return undefined
  }
}

/** What other processes ask from now on is not taken any more. */
export function closeInbox({ work }: Pick<LiveSession, 'work'>): Promise<void> {
  const { inbox } = work
  work.inbox = undefined
  if (inbox !== undefined)
    work.inboxClosed = inbox.then(async (open) => open?.[Symbol.asyncDispose]())
  return work.inboxClosed
}

/** Nobody asks about a session in which nothing runs and nothing waits. */
export async function closeUnusedInbox(session: LiveSession): Promise<void> {
  if (session.work.running === undefined && session.queue.messages.length === 0)
    await closeInbox(session)
}

/** Whether the holder of the lease takes requests now. */
export const isServed = async (fs: SessionFs, dir: string): Promise<boolean> =>
  (await fs.stat(`${inboxFolder(dir)}/${SERVING}`)) !== undefined

/** Nothing of this work is in the log yet, so nothing that lies here can be meant for it. */
async function sweep(fs: SessionFs, folder: string): Promise<void> {
  const { requests, replies, questions, others } = await viewInbox(fs, folder)
  const forgotten = replies.filter(({ atMs }) => Date.now() - atMs > FORGOTTEN_MS)
  const old = [
    ...requests.map((name) => `${name}.json`),
    ...forgotten.map(({ file }) => file),
    ...questions.map((requestId) => `question-${requestId}.json`),
    ...others,
    SERVING,
  ]
  for (const name of old) await fs.remove(`${folder}/${name}`)
}

async function takeAll(
  fs: SessionFs,
  feed: Feed,
  folder: string,
  serve: ServeRequest,
): Promise<void> {
  const { requests, others } = await viewInbox(fs, folder)
  const odd = [...others, ...requests.slice(MOST_REQUESTS).map((name) => `${name}.json`)]
  for (const name of odd) await fs.remove(`${folder}/${name}`)
  let unread = odd.length
  for (const name of requests.slice(0, MOST_REQUESTS))
    if (!(await take(fs, folder, name, serve))) unread++
  if (unread > 0) tellUnread(feed, unread)
}

/** False when it was no request. It is gone before anything is done about it, so it is never acted on twice. */
async function take(
  fs: SessionFs,
  folder: string,
  name: string,
  serve: ServeRequest,
): Promise<boolean> {
  const path = requestPath(folder, name)
  const text = await readSmall(fs, path)
  if (text === undefined) return true
  const request = readRequest(text)
  const taken = encodeFile({ version: 1, status: 'taken' } satisfies InboxReply)
  // False: the asker has withdrawn it, or it was taken before.
  const isOurs = request !== undefined && (await fs.createExclusive(replyPath(folder, name), taken))
  await fs.remove(path)
  if (request === undefined) return false
  if (!isOurs) return true
  const replied = serve(request)
    .catch(refusal)
    .then((reply) => fs.writeAtomic(replyPath(folder, name), encodeFile(reply), { durable: false }))
  // A message may wait for the agent to begin; what comes behind it, such as the word to stop, does not.
  // A reply that cannot be written is missed by the asker, which looks at the log then.
  if (isSend(request)) replied.catch(() => {})
  else await replied
  return true
}

const isSend = (request: InboxRequest): boolean =>
  request.kind === 'send' || (request.kind === 'operation' && request.operation === 'send')

function refusal(error: unknown): InboxReply {
  const code = error instanceof EngineError ? error.code : 'internal'
  const message = errorText(error)
  return { version: 1, status: 'refused', code, message: message.slice(0, 2000) }
}

const tellUnread = (feed: Feed, count: number) =>
  feed.tell({
    type: 'session.error',
    data: {
      errorType: 'inbox',
      message: `${count === 1 ? 'A file' : `${count} files`} in the inbox of this session could not be read and ${count === 1 ? 'was' : 'were'} removed. Nothing was done about ${count === 1 ? 'it' : 'them'}.`,
    },
  })
