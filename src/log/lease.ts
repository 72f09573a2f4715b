/**
 * One writer per session, without a daemon. A process that wants to write takes the next generation of the lease;
 * of many that try exactly one succeeds. An idle holder yields when asked, a dead one is replaced at once,
 * a frozen one is overtaken and finds out before its next write is acknowledged.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { selfIdentity, type Liveness, type ProcessIdentity } from '../lib/process-identity.ts'
import {
  encodeClaim,
  generationFile,
  lastSign,
  leaseFolder,
  livenessOf,
  newNonce,
  noncesInUse,
  viewLease,
  type Claim,
  type LeaseView,
} from './lease-files.ts'
import { holdLease, markReleased, type Holding, type Lease } from './lease-hold.ts'
import { leaseLimits, type LeaseLimits } from './lease-limits.ts'
import { openRequest } from './lease-request.ts'

export type LeaseOptions = {
  /** Shown to the person who finds the session in use. */
  readonly label: string
  /** How long a busy holder is waited for. With 0 the lease is taken only when nobody living holds it. */
  readonly waitMs: number
  /** Called once for each request, also for those that were there before the lease was taken. */
  readonly onRequest: (asker: Claim) => void
  /** Called once when another process is found to have taken it: this one was frozen. */
  readonly onLost?: () => void
  readonly signal?: AbortSignal
  readonly identity?: ProcessIdentity
  readonly limits?: Partial<LeaseLimits>
}

export type Holder = Claim & {
  readonly generation: number
  readonly liveness: Liveness
  /** False when it is dead, or cannot be seen from here and has shown no sign of life for long. */
  readonly alive: boolean
}

export class LeaseBusy extends Error {
  override readonly name = 'LeaseBusy'
  readonly code = 'in_use'
  readonly holder: Holder

  constructor(holder: Holder) {
    const { label, pid, host, since } = holder
    super(
      `The session is open in another process (${label}, pid ${pid} on ${host}, since ${since}). Nothing was changed.`,
    )
    this.holder = holder
  }
}

export async function acquireLease(
  fs: SessionFs,
  sessionDir: string,
  options: LeaseOptions,
): Promise<Lease> {
  const { label, waitMs, signal, onRequest, onLost = () => {} } = options
  const limits = { ...leaseLimits, ...options.limits }
  const folder = leaseFolder(sessionDir)
  const asker: Claim = {
    ...(options.identity ?? selfIdentity()),
    nonce: newNonce(),
    since: new Date().toISOString(),
    label,
    takenOver: 'no',
  }
  const request = openRequest(fs, folder, asker, limits)
  const deadlineMs = performance.now() + waitMs
  let lost = 0
  let lease: Lease | undefined
  noncesInUse.add(asker.nonce)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const view = await viewLease(fs, folder)
      const takenOver = await request.mayTake(view)
      const leftMs = deadlineMs - performance.now()
      const generation = view.generation + 1

      if (takenOver !== undefined && (leftMs <= 0 || !(await request.isAnothersTurn(view)))) {
        const claim = { ...asker, since: new Date().toISOString(), takenOver }
        if (await tryClaim(fs, folder, generation, claim)) {
          lease = await hold({
            fs,
            sessionDir,
            folder,
            generation,
            claim,
            limits,
            onRequest,
            onLost,
          })
          return lease
        }
        const isFirstLoss = lost !== generation
        lost = generation
        if (isFirstLoss) continue
        // The folder's list lags behind what the file system itself knows: give it time.
      }
      if (leftMs <= 0) throw new LeaseBusy(await describe(fs, folder, view, limits))
      if (await request.ask(view)) continue
      const patienceMs = takenOver === undefined ? limits.checkMs : limits.courtesyMs
      await request.wait(Math.min(patienceMs, leftMs), signal)
    }
  } finally {
    await request.withdraw()
    if (lease === undefined) noncesInUse.delete(asker.nonce)
  }
}

/** A claim that could not be made good is given back, or it would stand until this process ends. */
async function hold(holding: Holding): Promise<Lease> {
  try {
    return await holdLease(holding)
  } catch (error) {
    // If even this fails, the claim goes with the process; the caller is told the first failure.
    await markReleased(holding.fs, holding.folder, holding.generation).catch(() => {})
    throw error
  }
}

/** Creates the generation; then makes sure that it is not a low number which others left behind long ago. */
async function tryClaim(
  fs: SessionFs,
  folder: string,
  generation: number,
  claim: Claim,
): Promise<boolean> {
  const path = generationFile(folder, generation, 'json')
  if (!(await fs.createExclusive(path, encodeClaim(claim)))) return false
  if ((await viewLease(fs, folder)).generation === generation) return true
  await fs.remove(path)
  return false
}

/** Who holds the lease now; undefined when nobody does. Changes nothing. */
export async function readLease(fs: SessionFs, sessionDir: string): Promise<Holder | undefined> {
  const folder = leaseFolder(sessionDir)
  const view = await viewLease(fs, folder)
  if (view.generation === 0 || view.isReleased) return undefined
  return describe(fs, folder, view, leaseLimits)
}

async function describe(
  fs: SessionFs,
  folder: string,
  view: LeaseView,
  limits: LeaseLimits,
): Promise<Holder> {
  const liveness = livenessOf(view.claim)
  const sign = liveness === 'unknown' ? await lastSign(fs, folder, view.generation) : undefined
  const isRecent = sign !== undefined && Date.now() - sign.mtimeMs < limits.abandonedMs
  const alive = liveness === 'alive' || (liveness === 'unknown' && isRecent)
  return { ...(view.claim ?? unreadable), generation: view.generation, liveness, alive }
}

const unreadable: Claim = {
  host: 'unknown',
  machine: '',
  bootId: '',
  pidSpace: '',
  pid: 0,
  startTime: '',
  nonce: '',
  since: '',
  label: 'unknown',
  takenOver: 'no',
}
