/**
 * Keeps the copies of sessions in Mission Control up to their logs, off the way of the turns: a change is sent a moment
 * later, together with those that came meanwhile. What cannot be sent now is tried again, at ever longer intervals; what
 * can never be sent is said once and left. A session that is behind has a mark in the home until it is not, so that the
 * next process goes on with what this one could not finish.
 */
import { asSessionId, type SessionId } from '../format/ids.ts'
import { homeFolder, sessionDir } from '../format/paths.ts'
import { errorText } from '../lib/error-text.ts'
import { serially } from '../lib/coalesce.ts'
import { readLease } from '../log/lease.ts'
import {
  bringCopy,
  mark,
  type CopyParts,
  type CopyStatus,
  type First,
  type Lane,
} from './bring-copy.ts'
import { isPassing, RemoteError } from './remote-error.ts'

type ExporterParts = Omit<CopyParts, 'now' | 'isLast'> & {
  readonly now?: () => Date
  /** In this process. */
  isOpen(id: SessionId): boolean
  /** The first wait before something is tried again. Default 1000. */
  readonly retryMs?: number
}

export type Exporter = ReturnType<typeof createExporter>

const LATER_MS = 50
const LONGEST_RETRY_MS = 60_000

export function createExporter(parts: ExporterParts) {
  const { fs, now = () => new Date(), retryMs = 1000 } = parts
  const lanes = new Map<SessionId, Lane>()
  let isStopped = false
  const copying: CopyParts = { ...parts, now, isLast: (id) => isStopped || !parts.isOpen(id) }

  const ownLane = (id: SessionId): Lane => {
    const lane = laneOf(id)
    lane.isOwn = true
    return lane
  }
  const laneOf = (id: SessionId): Lane => {
    const there = lanes.get(id)
    if (there !== undefined) return there
    const lane: Lane = {
      status: { state: 'connecting' },
      failures: 0,
      isMarked: false,
      isOwn: false,
      told: '',
      sent: 0,
      notedAt: 0,
      first: undefined,
      run: serially(() => bring(id, lane)),
    }
    lanes.set(id, lane)
    return lane
  }

  async function bring(id: SessionId, lane: Lane): Promise<void> {
    clearTimeout(lane.timer)
    lane.timer = undefined
    try {
      await bringCopy(copying, id, lane)
    } catch (cause) {
      lane.right = undefined
      failed(id, lane, cause)
    }
  }

  function failed(id: SessionId, lane: Lane, cause: unknown): void {
    const isFinal = cause instanceof RemoteError && !isPassing(cause)
    const since = lane.status.state === 'error' ? lane.status.since : now()
    lane.status = { state: 'error', error: errorText(cause), since, isFinal }
    if (isFinal || isStopped || !lane.isOwn) return
    const wait = Math.min(retryMs * 2 ** lane.failures, LONGEST_RETRY_MS)
    lane.failures += 1
    later(id, lane, wait)
  }

  function later(id: SessionId, lane: Lane, ms: number): void {
    if (lane.timer !== undefined || isStopped) return
    lane.timer = setTimeout(() => void lane.run().then(() => forget(id, lane)), ms).unref()
  }

  /** A closed session whose copy is up to its log; the home knows the rest. */
  function forget(id: SessionId, lane: Lane): void {
    if (lane.status.state === 'active' && lane.timer === undefined && !parts.isOpen(id))
      lanes.delete(id)
  }

  return {
    /** Something was written in it, or it is to be exported from now on. */
    changed(id: SessionId): void {
      const lane = ownLane(id)
      // What was said for good is tried once more with the next change: a machine may have let go, a token been renewed.
      if (lane.status.state === 'error' && !lane.status.isFinal) return
      later(id, lane, LATER_MS)
    },
    /** What is only told now and then is told, and nothing of it is known any more. */
    closed(id: SessionId): void {
      const lane = lanes.get(id)
      if (lane !== undefined) later(id, lane, LATER_MS)
    },
    /** Now, after something that comes before. */
    async anew(id: SessionId, first: First): Promise<CopyStatus> {
      const lane = ownLane(id)
      lane.first = first
      await lane.run()
      return lane.status
    },
    /** The same soon: when this returns it is sure to happen, whether the server is there or not. */
    async anewSoon(id: SessionId, first: First): Promise<void> {
      const lane = ownLane(id)
      lane.first = first
      await mark(fs, id, lane)
      later(id, lane, LATER_MS)
    },
    /** Now, whatever went wrong before. */
    async sync(id: SessionId): Promise<CopyStatus> {
      const lane = ownLane(id)
      await lane.run()
      return lane.status
    },
    /** A copy that the server has again is removed again; it is made anew where the session is here. */
    async removeAgain(
      id: SessionId,
      { forGood }: { readonly forGood: boolean },
    ): Promise<CopyStatus> {
      const lane = ownLane(id)
      if (forGood) lane.first = 'renew'
      await lane.run()
      return lane.status
    },
    /** What another process left behind, unless one that lives has the session and does it itself. */
    async takeUp(id: SessionId): Promise<void> {
      if (isStopped || lanes.get(id)?.isOwn === true) return
      if ((await readLease(fs, sessionDir(id)))?.alive !== true) await laneOf(id).run()
    },
    isStopped: (): boolean => isStopped,
    /** Events that were sent of it since this process began. */
    sent: (id: SessionId): number => lanes.get(id)?.sent ?? 0,
    /** Undefined of what another process left, while it is not known whether it can be sent now. */
    status(id: SessionId): CopyStatus | undefined {
      const { status, isOwn = false } = lanes.get(id) ?? {}
      return isOwn || status?.state !== 'connecting' ? status : undefined
    },
    /** Sessions whose copies other processes left behind their logs. */
    async due(): Promise<readonly SessionId[]> {
      const names = await fs.list(homeFolder('remoteDue'))
      return names.map(({ name }) => asSessionId(name))
    },
    /** Sends what waits to be sent, and gives up after a while: the marks stay. */
    async stop(patienceMs: number): Promise<void> {
      isStopped = true
      for (const lane of lanes.values()) clearTimeout(lane.timer)
      const waiting = [...lanes].filter(
        ([, { isOwn, timer, isMarked, right, noted }]) =>
          isOwn && (timer !== undefined || isMarked || right?.copy.head.lastEventId !== noted),
      )
      const deadline = new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
      await Promise.race([Promise.all(waiting.map(([, lane]) => lane.run())), deadline])
    },
  }
}
