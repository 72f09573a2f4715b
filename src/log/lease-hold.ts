/**
 * Holding a lease: shows that the holder lives, tells it who asks, and lets it see before and after each
 * write that nobody overtook it.
 */
import type { FileStat, SessionFs } from '../fs/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { leaveInUse, markInUse } from './inuse-lock.ts'
import {
  generationFile,
  generationOf,
  livenessOf,
  noncesInUse,
  readClaim,
  viewLease,
  type Claim,
  type TakenOver,
} from './lease-files.ts'
import type { LeaseLimits } from './lease-limits.ts'

export interface Lease extends AsyncDisposable {
  readonly generation: number
  /** `live`: the one before may still have the log open; replace the file before writing. */
  readonly takenOver: TakenOver
  /** When it was claimed. */
  readonly since: string
  /** Another process asked and waits. */
  isWanted(): boolean
  /**
   * Two looks at the file system, before a write and again before it is acknowledged. Once false it stays false.
   * With a time, a look that is no older will do.
   */
  holds(withinMs?: number): Promise<boolean>
  /** Gives it back; the next one that waits has it at once. Safe to call twice, and after it was lost. */
  release(): Promise<void>
}

export type Holding = {
  readonly fs: SessionFs
  readonly sessionDir: string
  readonly folder: string
  readonly generation: number
  readonly claim: Claim
  readonly limits: LeaseLimits
  readonly onRequest: (asker: Claim) => void
  readonly onLost: () => void
}

export async function holdLease(holding: Holding): Promise<Lease> {
  const { fs, sessionDir, folder, generation, claim, limits } = holding
  const own = generationFile(folder, generation, 'json')
  const next = generationFile(folder, generation + 1, 'json')
  const mark = await fs.stat(own)
  let isOver = (await readClaim(fs, own))?.nonce !== claim.nonce
  let released: Promise<void> | undefined
  let lookedMs = -Infinity

  const heartbeat = await fs.openAppend(generationFile(folder, generation, 'heartbeat'))
  const beat = async (): Promise<void> => {
    // The same byte again: only the time of the file changes.
    if (!isOver) await heartbeat.write([BEAT], 0)
  }
  // A heartbeat that cannot be written is missed by others soon enough; it is no reason to fail here.
  const beatQuietly = (): void => void beat().catch(() => {})
  const doorbell = answerRequests(holding, beatQuietly)
  let timer: NodeJS.Timeout | undefined
  let watch: Disposable | undefined

  const stop = async (): Promise<void> => {
    isOver = true
    clearInterval(timer)
    watch?.[Symbol.dispose]()
    await heartbeat.close()
  }
  const lose = async (): Promise<void> => {
    if (isOver) return
    await stop()
    holding.onLost()
  }
  const release = async (): Promise<void> => {
    try {
      await stop()
      await leaveInUse(fs, sessionDir, claim)
      // A session that was deleted meanwhile must not come back as a folder with nothing but a mark.
      if ((await fs.stat(own)) === undefined) return
      await markReleased(fs, folder, generation)
      await fs.remove(generationFile(folder, generation, 'heartbeat'))
    } finally {
      noncesInUse.delete(claim.nonce)
    }
  }

  try {
    await beat()
    await markInUse(fs, sessionDir)
    await sweepGenerations(fs, folder, generation)
  } catch (error) {
    await release()
    throw error
  }
  timer = setInterval(beatQuietly, limits.heartbeatMs)
  timer.unref()
  watch = fs.watch(folder, doorbell.look)
  // Requests that were there before; told after the caller has its lease.
  setImmediate(doorbell.look)

  return {
    generation,
    takenOver: claim.takenOver,
    since: claim.since,
    isWanted: doorbell.isWanted,
    holds: async (withinMs = 0) => {
      if (isOver) return false
      const nowMs = performance.now()
      if (nowMs - lookedMs < withinMs) return true
      const [now, successor] = await fs.statMany([own, next])
      if (successor !== undefined || !isSame(now, mark)) await lose()
      else lookedMs = nowMs
      return !isOver
    },
    release: () => (released ??= release()),
    [Symbol.asyncDispose]: () => (released ??= release()),
  }

  function answerRequests({ onRequest }: Holding, answer: () => void) {
    let seen = new Set<string>()
    let isLooking = false
    let shouldLookAgain = false

    async function lookOnce(): Promise<void> {
      const view = await viewLease(fs, folder)
      const requests = view.requests.filter((name) => !name.includes(claim.nonce))
      const fresh = requests.filter((name) => !seen.has(name))
      seen = new Set(requests)
      if (view.generation > generation) return lose()
      for (const name of fresh) {
        const asker = await readClaim(fs, `${folder}/${name}`)
        if (asker === undefined || isOver) continue
        if (await isForgotten(`${folder}/${name}`, asker)) {
          await fs.remove(`${folder}/${name}`)
          seen.delete(name)
        } else {
          answer()
          onRequest(asker)
        }
      }
    }

    async function isForgotten(path: string, asker: Claim): Promise<boolean> {
      const liveness = livenessOf(asker)
      if (liveness !== 'unknown') return liveness === 'dead'
      const stat = await fs.stat(path)
      return (
        stat !== undefined && mark !== undefined && mark.mtimeMs - stat.mtimeMs > limits.abandonedMs
      )
    }

    const look = (): void => {
      if (isOver) return
      shouldLookAgain = true
      if (isLooking) return
      isLooking = true
      void (async () => {
        try {
          while (shouldLookAgain) {
            shouldLookAgain = false
            if (!isOver) await lookOnce()
          }
        } catch {
          // The folder could not be read just now. Our next heartbeat is a change in it, and looks again.
        } finally {
          isLooking = false
        }
      })()
    }
    return { look, isWanted: () => seen.size > 0 }
  }
}

const BEAT = encodeText('\n')

export async function markReleased(
  fs: SessionFs,
  folder: string,
  generation: number,
): Promise<void> {
  await fs.createExclusive(generationFile(folder, generation, 'released'), new Uint8Array())
}

/** A claim is never changed, so everything about its file must be as it was. */
const isSame = (now: FileStat | undefined, mark: FileStat | undefined): boolean =>
  now !== undefined &&
  now.identity === mark?.identity &&
  now.mtimeMs === mark.mtimeMs &&
  now.size === mark.size

/**
 * From the lowest up, and none after one that could not be removed: a holder that was overtaken must never find its
 * own claim still there and its successor's gone. What stays is swept by the next holder.
 */
async function sweepGenerations(fs: SessionFs, folder: string, current: number): Promise<void> {
  const names = (await fs.list(folder)).map(({ name }) => name)
  const old = names.filter((name) => generationOf(name) > 0 && generationOf(name) < current - 1)
  try {
    for (const name of old.sort(byGeneration)) await fs.remove(`${folder}/${name}`)
  } catch {
    // Tidiness is no reason to fail.
  }
}

/** The claim of a generation goes first: without its marks it would look held. */
const byGeneration = (one: string, other: string): number =>
  generationOf(one) - generationOf(other) ||
  Number(other.endsWith('.json')) - Number(one.endsWith('.json'))
