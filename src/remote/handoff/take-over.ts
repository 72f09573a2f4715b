/**
 * A session of another machine goes on here: a fresh session of this home with its history, in the repository and on the
 * branch that it was about. Nothing here is changed before all is known to fit; the other machine's session stays.
 */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { HandoffProgress, HandoffStep, TakenOver } from '../../engine/remote-control.ts'
import { asSessionId, type SessionId } from '../../format/ids.ts'
import type { WholeTask } from '../../format/task.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { defined } from '../../lib/defined.ts'
import { isSameRemote } from '../../lib/git-remote.ts'
import { asEngineErrors } from '../engine-errors.ts'
import { openFar } from '../client/remote-session.ts'
import { git } from '../git/git.ts'
import type { RemoteSession, Server } from '../control-client.ts'
import { tailHashOf } from '../tail-hash.ts'
import { replayed } from './replay.ts'
import { checkOut, fittingDiff, placeOf, refuseChanges } from './work-tree.ts'

type TakeOver = {
  readonly engine: Engine
  readonly server: Server
  readonly id: SessionId
  readonly cwd: string
  readonly onStep?: (progress: HandoffProgress) => void
}

export async function takeOver({ engine, server, id, cwd, onStep }: TakeOver): Promise<TakenOver> {
  const steps: HandoffProgress[] = []
  async function step<T>(name: HandoffStep, work: () => Promise<T>): Promise<T> {
    const told = (status: HandoffProgress['status']) => {
      steps.push({ step: name, status })
      onStep?.({ step: name, status })
    }
    told('in-progress')
    const done = await work()
    told('complete')
    return done
  }
  const { about, lines, task } = await step('load-session', () => load(server, id))
  const root = await step('validate-repo', () => validate(engine, cwd, about, task))
  const { diff, place } = await step('check-changes', async () => {
    if (root === undefined) return {}
    await refuseChanges(root)
    const found = await placeOf(root, about.branch ?? undefined)
    return { place: found, diff: await fittingDiff(found, task) }
  })
  await step('checkout-branch', async () => {
    if (place !== undefined) await checkOut(place, diff)
  })
  const made = asSessionId(crypto.randomUUID())
  await step('create-session', () => engine.adopt(made, chunks(replayed(lines, made))))
  await step('save-session', async () => {
    const session = await engine.open(made)
    await session.resume({ cwd })
    // The directory that its log tells of is one of the other machine.
    await session.moveTo(cwd)
    await session.recordHandoff({
      sourceType: 'remote',
      remoteSessionId: id,
      ...defined({
        host: about.machine ?? undefined,
        summary: about.name ?? about.summary ?? undefined,
        repository: repositoryOf(about),
      }),
    })
    if (about.name !== null) await session.nameByDefault(about.name)
  })
  return { id: made, from: id, progress: steps, hasChanges: diff !== undefined }
}

type Loaded = {
  readonly about: RemoteSession
  readonly lines: readonly string[]
  /** Of a session that a worker ran. */
  readonly task: WholeTask | undefined
}

async function taskOf(server: Server, id: SessionId): Promise<WholeTask | undefined> {
  for (const isArchived of [false, true]) {
    const tasks = await asEngineErrors(() => server.tasks.list({ isArchived }))
    const task = tasks.find(({ session }) => session === id)
    if (task !== undefined) return asEngineErrors(() => server.tasks.show(task.id))
  }
  return undefined
}

/** All that the server has: how many events there are, and the hash of the last one, say so. */
async function load(server: Server, id: SessionId): Promise<Loaded> {
  const { session: far } = await openFar(server, id)
  try {
    const about = await asEngineErrors(() => server.session(id))
    const { events, tailHash } = await asEngineErrors(() => server.head(id))
    const bytes: Uint8Array[] = []
    for await (const chunk of far.raw()) bytes.push(chunk)
    const lines = decodeText(Buffer.concat(bytes)).split('\n').filter(Boolean)
    if (lines.length < events)
      throw new EngineError(
        'unreachable',
        `Only ${lines.length} of ${events} events came. Nothing was changed; try again.`,
      )
    // It may have gone on since, and one event may have been made here for want of a beginning.
    const isSame = [events, events + 1].some((to) => tailHashOf(lines.slice(0, to)) === tailHash)
    if (events > 0 && typeof tailHash === 'string' && !isSame)
      throw new EngineError(
        'conflict',
        'What came is not what Mission Control has: the session was rewound meanwhile, or altered on the way. Nothing was changed; try again.',
      )
    return { about, lines, task: await taskOf(server, id) }
  } finally {
    await far.close()
  }
}

/** The work tree, where there is one; undefined for a session that was in no repository. */
async function validate(
  engine: Engine,
  cwd: string,
  { repository: told }: RemoteSession,
  task: WholeTask | undefined,
): Promise<string | undefined> {
  const here = await engine.project(cwd)
  const url = task?.wish.repository?.url
  const repository = told ?? url
  if (repository === undefined) return undefined
  const wanted = [told, url].filter((each) => typeof each === 'string')
  const isMeant = (name: string): boolean => wanted.some((each) => isSameRemote(each, name))
  if (here.repository !== undefined && isMeant(here.repository)) return here.gitRoot
  if (here.gitRoot !== undefined) {
    const asked = git(['remote', 'get-url', 'origin'], { cwd: here.gitRoot, isOwn: true })
    const origin = await asked.catch(() => '') // it has none
    if (origin !== '' && isMeant(origin.trim())) return here.gitRoot
  }
  throw new EngineError(
    'conflict',
    `The session is about ${repository}; this directory is ${here.repository ?? 'in no repository that is known'}. Nothing was changed. Take it over in a work tree of ${repository}.`,
  )
}

function repositoryOf({ repository, branch }: RemoteSession) {
  const [owner, name] = (repository ?? '').split('/').slice(-2)
  if (owner === undefined || name === undefined || name === '') return undefined
  return { owner, name, ...defined({ branch: branch ?? undefined }) }
}

async function* chunks(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield encodeText(`${line}\n`)
}
