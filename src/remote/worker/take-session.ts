/**
 * The session of a task in this worker's home: begun, or gone on with. What another worker recorded is taken over byte for
 * byte from Mission Control, and a call that was in flight there counts as interrupted, which the model is told.
 */
import type { Engine } from '../../engine/engine.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { TaskWish } from '../../format/task.ts'
import { sessionDir } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'
import { acquireLease, readLease } from '../../log/lease.ts'
import { leaseLimits } from '../../log/lease-limits.ts'
import { openFar } from '../client/remote-session.ts'
import { readLink } from '../link.ts'
import type { Server } from '../control-client.ts'
import {
  firstMessage,
  nextMessage,
  standingOf,
  type FilesOf,
  type Logged,
  type TaskMessage,
} from './task-progress.ts'

type TakenSession = {
  readonly session: Session
  /** The message that is to be sent now; undefined when all that was wanted is answered. */
  readonly message: TaskMessage | undefined
}

type Taking = {
  readonly engine: Engine
  readonly server: Server
  readonly id: SessionId
  readonly task: string
  readonly attempts: number
  readonly wish: TaskWish
  readonly cwd: string
  readonly filesOf?: FilesOf
}

export async function takeSession(taking: Taking): Promise<TakenSession> {
  const { engine, server, id, cwd } = taking
  const { events } = await server.head(id)
  if (taking.attempts > 1) await outlive(engine, id)
  if (events > 0) await bringHere(engine, server, id)
  if ((await engine.summary(id)) === undefined) return begin(taking)
  const standing = await standingOf(eventsIn(await engine.open(id)), taking)
  const session = await engine.open(id)
  await session.resume({ cwd })
  await steered(engine, server, id)
  return { session, message: nextMessage(taking, standing) }
}

/** A worker that had this home under another host name cannot be seen from here: its sign of life must stand still first. */
const OUTLIVE_MS = leaseLimits.abandonedMs + 15_000

async function outlive({ fs }: Engine, id: SessionId): Promise<void> {
  const dir = sessionDir(id)
  if ((await readLease(fs, dir))?.liveness !== 'unknown') return
  const wish = { label: 'reprise-worker', waitMs: OUTLIVE_MS, onRequest() {} }
  const lease = await acquireLease(fs, dir, wish).catch(() => undefined) // who writes next is told who has it
  await lease?.release()
}

/** The log that is here has all that was sent, unless another worker had it since. */
async function bringHere(engine: Engine, server: Server, id: SessionId): Promise<void> {
  const { session: far } = await openFar(server, id)
  try {
    const { events: last } = await far.events({ direction: 'backward', limit: 1 })
    const isHere =
      (await engine.summary(id)) !== undefined && (await hasEvent(engine, id, last[0]?.id))
    if (isHere) return
    await engine.adopt(id, far.raw(), { replace: true })
  } finally {
    await far.close()
  }
}

async function hasEvent(
  engine: Engine,
  id: SessionId,
  wanted: string | undefined,
): Promise<boolean> {
  const text: Buffer[] = []
  for await (const chunk of (await engine.open(id)).raw()) text.push(Buffer.from(chunk))
  return wanted !== undefined && Buffer.concat(text).includes(`"id":"${wanted}"`)
}

async function begin({ engine, server, id, task, wish, cwd }: Taking): Promise<TakenSession> {
  const session = await engine.create({ sessionId: id, cwd, ...defined({ name: wish.name }) })
  await session.save()
  await steered(engine, server, id)
  if (wish.plan !== undefined) await session.writePlan(wish.plan)
  for (const { path, bytes } of wish.files ?? [])
    await session.writeFile(path, Buffer.from(bytes, 'base64'))
  if (wish.context !== undefined || wish.from !== undefined)
    await session.recordHandoff({
      sourceType: 'local',
      ...defined({
        context: wish.context,
        remoteSessionId: wish.from?.session,
        host: wish.from?.machine,
      }),
    })
  return { session, message: firstMessage(task, wish) }
}

/** Its person watches it and acts in it from Mission Control. */
async function steered(engine: Engine, server: Server, id: SessionId): Promise<void> {
  const link = await readLink(engine.fs, sessionDir(id))
  if (link?.server === server.url && link.mode === 'steer') return
  await (await engine.remote?.())?.set(id, 'steer')
}

async function* eventsIn(session: Session): AsyncGenerator<Logged> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of session.raw()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Logged
  }
}
