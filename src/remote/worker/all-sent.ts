/** The log of a task is at Mission Control as it is here: before anything is done by it, and before it is said to be done. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SessionId } from '../../format/ids.ts'

const AGAIN_MS = 500

/** While the server is away it is tried again; who has the task by then is decided there. */
export async function allSent(engine: Engine, id: SessionId, signal: AbortSignal): Promise<void> {
  const remote = await engine.remote?.()
  if (remote === undefined) return
  while (!signal.aborted) {
    const { state, error = '' } = await remote.push(id)
    if (state === 'active') return
    if (state === 'off') throw new EngineError('invalid', `Its log was not sent. ${error}`)
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => {}) // its end is looked at above
  }
}
