/**
 * Waiting for a lease: says whether it may be taken now, and leaves a request that its holder sees. A busy
 * holder keeps it for as long as it shows that it lives; nobody waits for a dead one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionFs } from '../fs/session-fs.ts'
import { deferred } from '../lib/deferred.ts'
import {
  encodeClaim,
  lastSign,
  livenessOf,
  readClaim,
  requestName,
  type Claim,
  type LeaseView,
  type TakenOver,
} from './lease-files.ts'
import type { LeaseLimits } from './lease-limits.ts'

type Request = {
  /** How the lease may be taken now, or undefined while it is another's. */
  mayTake(view: LeaseView): Promise<TakenOver | undefined>
  /** Whether a free lease should be left to a process that asked earlier. */
  isAnothersTurn(view: LeaseView): Promise<boolean>
  /** Leaves the request. False when it was already there. */
  ask(view: LeaseView): Promise<boolean>
  /** Until something changed in the folder, or the time is over. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
  withdraw(): Promise<void>
}

export function openRequest(
  fs: SessionFs,
  folder: string,
  claim: Claim,
  limits: LeaseLimits,
): Request {
  const name = requestName(claim)
  const path = `${folder}/${name}`
  let asked: { readonly atMs: number; readonly fileTimeMs: number } | undefined
  let watch: Disposable | undefined
  let hasChanged = false
  let place = -1
  let wake = (): void => {}
  /** The last sign of the holder, and since when by our own clock it stands still. */
  let sign = { key: '', sinceMs: 0 }
  let free = { generation: -1, sinceMs: 0 }

  async function isSilent(view: LeaseView, liveness: 'alive' | 'unknown'): Promise<boolean> {
    const stat = await lastSign(fs, folder, view.generation)
    if (stat === undefined) return false
    const now = performance.now()
    const key = `${view.generation} ${stat.mtimeMs}`
    if (sign.key !== key) sign = { key, sinceMs: now }
    const stillForMs = now - sign.sinceMs
    if (liveness === 'unknown') return stillForMs >= limits.abandonedMs
    if (asked === undefined) return false
    // Both times were given by the same file system, so a clock that differs from ours does no harm.
    const ageMs = asked.fileTimeMs + (now - asked.atMs) - stat.mtimeMs
    return ageMs >= limits.frozenMs && Math.min(stillForMs, now - asked.atMs) >= limits.answerMs
  }

  return {
    mayTake: async (view) => {
      if (view.generation === 0 || view.isReleased) return 'no'
      const liveness = livenessOf(view.claim)
      // It may have died before it could shut out the one that it overtook itself.
      if (liveness === 'dead') return view.claim?.takenOver === 'live' ? 'live' : 'dead'
      return (await isSilent(view, liveness)) ? 'live' : undefined
    },

    isAnothersTurn: async (view) => {
      if (free.generation !== view.generation)
        free = { generation: view.generation, sinceMs: performance.now() }
      if (performance.now() - free.sinceMs >= limits.courtesyMs) return false
      const earlier = view.requests.filter((other) => asked === undefined || other < name)
      for (const other of earlier) {
        const asker = await readClaim(fs, `${folder}/${other}`)
        if (asker !== undefined && livenessOf(asker) !== 'dead') return true
      }
      return false
    },

    ask: async (view) => {
      watch ??= fs.watch(folder, () => {
        hasChanged = true
        wake()
      })
      place = view.requests.indexOf(name)
      // A holder removes requests that look forgotten; one that is still wanted comes back.
      if (asked !== undefined && place !== -1) return false
      await fs.writeAtomic(path, encodeClaim(claim), { durable: false })
      const stat = await fs.stat(path)
      asked ??= { atMs: performance.now(), fileTimeMs: stat?.mtimeMs ?? Date.now() }
      return true
    },

    wait: async (ms, signal) => {
      if (!hasChanged) {
        const changed = deferred<void>()
        wake = changed.resolve
        const timer = setTimeout(wake, ms)
        signal?.addEventListener('abort', wake, { once: true })
        await changed.promise
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
      }
      // The first in line acts at once. If all looked at every change, many would slow down the few.
      if (hasChanged && place > 0) await sleep(Math.min(place * 5, ms))
      hasChanged = false
    },

    withdraw: async () => {
      watch?.[Symbol.dispose]()
      // One that stays is ignored once this process has ended; it must not cost the caller its lease.
      if (asked !== undefined) await fs.remove(path).catch(() => {})
    },
  }
}
