/** Tells a client that something changed in a session, here or in another process, so that its list can be asked for again. */
import type { SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import type { ActivityFrame } from './api.ts'
import { encodeFrame } from './frames.ts'
import type { Outlet } from './outlet.ts'
import type { Web } from './route.ts'

type Kind = Extract<ActivityFrame, { event: 'changed' }>['data']['kind']

const EVERY_MS = 200

/** Returns when the client is gone. What changes often is told a few times a second. */
export async function streamActivity(
  { engine, desk, outside }: Web,
  outlet: Outlet,
): Promise<void> {
  const waiting = new Map<string, { id: SessionId; kind: Kind }>()
  let timer: NodeJS.Timeout | undefined
  const tell = (id: SessionId, kind: Kind) => {
    waiting.set(`${kind} ${id}`, { id, kind })
    timer ??= setTimeout(() => {
      timer = undefined
      for (const change of waiting.values()) {
        const data = { ...change, status: desk.status(change.id, outside.status) }
        outlet.put(encodeFrame({ event: 'changed', data }))
      }
      waiting.clear()
    }, EVERY_MS)
  }
  using _changes = engine.subscribe(({ id, kind }) => tell(id, kind))
  using _status = desk.onStatus((id) => tell(id, 'status'))
  using _outside = outside.watch(tell)
  await outside.looked()
  outlet.put(encodeFrame({ event: 'ready', data: {} }))
  const { promise, resolve } = deferred<void>()
  outlet.signal.addEventListener('abort', () => resolve(), { once: true })
  if (!outlet.signal.aborted) await promise
  clearTimeout(timer)
}
