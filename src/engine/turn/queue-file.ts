/**
 * Messages that wait, on disk: when their process dies, the next one that opens the session has them, held until a
 * person lets them go on. What a process that ends by itself has held back stays as well.
 */
import { logPath, inSession } from '../../format/paths.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import { isAlive, selfIdentity, type ProcessIdentity } from '../../lib/process-identity.ts'
import { readLog } from '../../log/read.ts'
import type { EngineContext } from '../engine-context.ts'
import { asLogged } from '../live/as-logged.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import type { Message, QueuedMessage } from './message.ts'

type QueueFile = {
  readonly version: 1
  /** The process in which they wait; null when it has let go of them. */
  readonly owner: ProcessIdentity | null
  readonly messages: readonly Message[]
}

/** Each change after the one before it; the last one counts. A queue that cannot be kept waits in this process alone. */
export const keepQueue = (
  engine: EngineContext,
  session: LiveSession,
  { isLetGo = false }: { readonly isLetGo?: boolean } = {},
): Promise<void> => {
  const { sending, messages: waiting } = session.queue
  const messages = [...sending, ...waiting].map(({ message }) => message)
  return inTurn(session.queue, async () => {
    // Written over, they would be lost.
    const left = await takeUpQueue(engine, session, { asOurs: true })
    await write(engine, session, [...messages, ...left], isLetGo)
  }).catch(() => {
    // They are sent all the same; only a kill would lose them now.
  })
}

async function write(
  engine: EngineContext,
  { dir, written }: LiveSession,
  messages: readonly Message[],
  isLetGo: boolean,
): Promise<void> {
  if (!written.hasLog) return
  const path = inSession(dir, 'queue')
  if (messages.length === 0) return engine.fs.remove(path)
  const kept = await Promise.all(messages.map((message) => redacted(engine, message)))
  const file: QueueFile = { version: 1, owner: isLetGo ? null : selfIdentity(), messages: kept }
  await engine.fs.writeAtomic(path, encodeText(`${JSON.stringify(file)}\n`), { durable: true })
}

/** As its words would stand in the log. */
async function redacted(engine: EngineContext, message: Message): Promise<Message> {
  const { displayPrompt } = message
  return {
    ...message,
    prompt: await asLogged(engine, message.prompt),
    ...(displayPrompt !== undefined && { displayPrompt: await asLogged(engine, displayPrompt) }),
  }
}

/** Those that a process left behind which is gone, without the one that it had just sent. */
export async function leftQueue(
  { fs }: Pick<EngineContext, 'fs'>,
  dir: string,
): Promise<readonly Message[]> {
  const bytes = await fs.read(inSession(dir, 'queue'))
  if (bytes === undefined) return []
  try {
    const { owner, messages } = JSON.parse(decodeText(bytes)) as QueueFile
    const isLeft = owner === null || isAlive(owner) === 'dead'
    return isLeft ? messages.filter(({ prompt }) => typeof prompt === 'string') : []
  } catch {
    // Not ours: nothing is sent that nobody can be sure of.
    return []
  }
}

/** The messages that a process left since it was last looked wait here, held: as ours once the file says so. */
export async function takeUpQueue(
  engine: EngineContext,
  session: LiveSession,
  { asOurs = false }: { readonly asOurs?: boolean } = {},
): Promise<readonly Message[]> {
  const { queue } = session
  const isNew = ({ messageId, prompt }: Message) =>
    !queue.seen.has(messageId ?? prompt) && !queue.messages.some(({ id }) => id === messageId)
  const left = (await leftQueue(engine, session.dir)).filter(isNew)
  if (left.length === 0) return []
  const sent = await sentLast(engine, session)
  const found: Message[] = []
  // Nothing is waited for from here on: another call may have found them as well.
  for (const message of left.filter(isNew)) {
    const { messageId: id = engine.newId() } = message
    queue.seen.add(message.messageId ?? message.prompt)
    if (sent.has(id)) continue
    if (queue.messages.length === 0 && !asOurs) queue.kept = undefined
    found.push({ ...message, messageId: id })
    const item: QueuedMessage = {
      id,
      message: { ...message, messageId: id },
      // Who sent it is gone: nobody else has it when it cannot be sent.
      resolve: () => {},
      reject: () => putBack(session, item),
    }
    queue.messages.push(item)
  }
  if (found.length === 0) return []
  queue.state = 'held'
  session.feed.tell({ type: 'pending_messages.modified', data: {} })
  return found
}

function putBack({ queue }: LiveSession, item: QueuedMessage): void {
  queue.messages.unshift(item)
  queue.state = 'held'
}

/** A process that is killed between sending one and noting that leaves it in both places. */
export async function sentLast(
  { fs }: EngineContext,
  session: LiveSession,
): Promise<ReadonlySet<string>> {
  const { turns, size } = stateOf(session)
  const from = turns.at(-2)?.start ?? turns.at(-1)?.start ?? size
  const sent = new Set<string>()
  for await (const { records } of readLog(fs, logPath(session.dir), { from, to: size }))
    for (const { event } of records) {
      if ('stranger' in event || event.type !== 'user.message') continue
      if (event.data.messageId !== undefined) sent.add(event.data.messageId)
    }
  return sent
}
