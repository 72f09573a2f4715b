/** How a session stands to Mission Control, in the few words that a status line has room for. */
import type { Engine } from '../engine/engine.ts'
import type { RemoteStatus } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import { ago } from '../lib/quantities.ts'

export type RemoteWords = {
  readonly text: string
  /** What is seen elsewhere is older than what is here, or the other way round. */
  readonly isLate: boolean
}

/** Undefined in a home without a Mission Control. */
export async function remoteWords(
  engine: Engine,
  id: SessionId,
  now: Date | number,
): Promise<RemoteWords | undefined> {
  const control = await engine.remote?.()
  return control && inShort(await control.status(id), now)
}

export function inShort(status: RemoteStatus, now: Date | number): RemoteWords {
  const { mode, state, at, machine } = status
  const age = at === undefined ? 'now' : ago(at.toISOString(), now)
  const since = age === 'now' ? '' : ` since ${age}`
  if (state === 'error')
    return {
      text: machine === undefined ? `late${since}` : `${machine} silent${since}`,
      isLate: true,
    }
  if (machine !== undefined) return { text: `on ${machine}`, isLate: false }
  const steered = state === 'active' && mode === 'steer' ? ', steerable' : ''
  return { text: `${state === 'active' ? 'connected' : state}${steered}`, isLate: false }
}
