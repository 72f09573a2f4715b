/**
 * Sessions of this machine that its person starts from afar: in projects that they named for that, and in no others. Each
 * is begun once, as an ordinary session of this home that can be acted in from Mission Control; from then on it is as any
 * other. A process that is killed in between leaves it to the next one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import { isSessionId } from '../format/ids.ts'
import { MACHINE_POOL } from '../format/task.ts'
import { errorText } from '../lib/error-text.ts'
import { identifyRemote, isSameRemote } from '../lib/git-remote.ts'
import type { Server } from './control-client.ts'
import type { ClaimedTask, TaskEnd } from './task-client.ts'
import { takeSession } from './worker/take-session.ts'

export type KickstartParts = {
  readonly engine: Engine
  readonly server: Server
  /** Directories by repository. */
  readonly projects: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const WAIT_SECONDS = 20
const RETRY_MS = 5000

/** The tasks that are meant for one machine. */
export const poolOf = (machine: string): string => `${MACHINE_POOL}${machine}`.slice(0, 100)

/** Until the signal fires. */
export async function takeKickstarts(parts: KickstartParts): Promise<void> {
  const { server, signal } = parts
  const worker = crypto.randomUUID()
  let pool: string | undefined
  while (!signal.aborted) {
    try {
      pool ??= poolOf((await server.me()).machine ?? '')
      const claimed = await server.tasks.claim(
        { worker, pool, agent: 'as configured', policy: POLICY, slots: 1, busy: 0 },
        { wait: WAIT_SECONDS, signal },
      )
      if (claimed === undefined) continue
      const { task } = claimed
      await server.tasks.end(task.id, { worker, ...(await begin(parts, claimed)) })
    } catch {
      // The server is away, or this process ends: what was claimed is claimed again.
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {}) // stopping ends the wait
    }
  }
  await server.tasks.leave(worker)
}

const POLICY =
  'Starts sessions of this machine in the projects that its person named; what no rule allows is asked.'

async function begin(
  { engine, server, projects }: KickstartParts,
  { task, wish }: ClaimedTask,
): Promise<Pick<TaskEnd, 'state' | 'reason'>> {
  const repository =
    wish.repository === undefined ? undefined : identifyRemote(wish.repository.url)?.repository
  const named = Object.keys(projects).find((each) => isSameRemote(each, repository ?? ''))
  const cwd = named === undefined ? undefined : projects[named]
  if (!isSessionId(task.session))
    return { state: 'failed', reason: `No session can be called ${JSON.stringify(task.session)}.` }
  if (cwd === undefined)
    return {
      state: 'failed',
      reason: `This machine starts no session in ${repository ?? 'a place without a repository'}. In that project "reprise remote kickstart" there allows it.`,
    }
  try {
    const { session, message } = await takeSession({
      engine,
      server,
      id: task.session,
      task: task.id,
      attempts: task.attempts,
      wish,
      cwd,
    })
    // It goes on by itself: what becomes of it stands in its log.
    if (message !== undefined) await session.send(message, { whenBusy: 'enqueue' })
    return { state: 'done' }
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause
    return { state: 'failed', reason: errorText(cause).slice(0, 2000) }
  }
}
