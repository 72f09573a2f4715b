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
import { openFar } from '../far/far-session.ts'
import { readLink } from '../link.ts'
import type { Server } from '../server.ts'

type TakenSession = {
  readonly session: Session
  /** The message that is to be sent now; undefined when all that was wanted is answered. */
  readonly message: { readonly prompt: string; readonly source: string } | undefined
}

type Taking = {
  readonly engine: Engine
  readonly server: Server
  readonly id: SessionId
  readonly task: string
  readonly attempts: number
  readonly wish: TaskWish
  readonly cwd: string
  /** The files are not all that the log tells of. */
  readonly mayLack: boolean
}

export async function takeSession(taking: Taking): Promise<TakenSession> {
  const { engine, server, id, cwd } = taking
  const { events } = await server.head(id)
  if (events > 0) await bringHere(engine, server, id)
  if ((await engine.summary(id)) === undefined) return begin(taking)
  const standing = await standingOf(await engine.open(id), taking.task)
  const session = await engine.open(id)
  await session.resume({ cwd })
  await steered(engine, server, id)
  return { session, message: nextMessage(taking, standing) }
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

type Standing = 'not-begun' | 'in-the-middle' | 'answered'

/** Of the log as it was left, before anything in it is settled. */
async function standingOf(session: Session, task: string): Promise<Standing> {
  let standing: Standing = 'not-begun'
  let isAnswer = false
  for await (const { type, data, agentId } of eventsIn(session)) {
    if (agentId !== undefined) continue
    if (type === 'user.message') {
      isAnswer = false
      if (String(data.source).startsWith(`task-${task}`)) standing = 'in-the-middle'
    }
    if (type.startsWith('tool.')) isAnswer = false
    if (type === 'assistant.message') isAnswer = isLastWord(data)
    // A turn that was settled after a kill has an end, too.
    if (type === 'assistant.turn_end' && standing !== 'not-begun')
      standing = isAnswer ? 'answered' : 'in-the-middle'
  }
  return standing
}

type Logged = {
  readonly type: string
  readonly agentId?: string
  readonly data: {
    readonly source?: unknown
    readonly toolRequests?: readonly unknown[]
    readonly reprise?: { readonly unfinished?: unknown }
  }
}

const isLastWord = ({ toolRequests = [], reprise }: Logged['data']): boolean =>
  toolRequests.length === 0 && reprise?.unfinished === undefined

async function* eventsIn(session: Session): AsyncGenerator<Logged> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of session.raw()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Logged
  }
}

const firstMessage = (task: string, { prompt }: TaskWish) =>
  prompt === undefined ? undefined : { prompt, source: `task-${task}` }

function nextMessage(taking: Taking, standing: Standing) {
  const { task, wish, attempts, mayLack } = taking
  if (standing === 'not-begun') return firstMessage(task, wish)
  if (standing === 'answered' || wish.prompt === undefined) return undefined
  const lack = mayLack
    ? ' The files are here as they were last told; what was done at the very end may be missing from them.'
    : ''
  return {
    prompt: `The machine that worked on this stopped in the middle. Go on with the task from where it is: what is recorded as done is done. Look at what was interrupted before you do it again.${lack}`,
    source: `task-${task}-${attempts}`,
  }
}
