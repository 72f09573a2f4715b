/**
 * Keeps the copies of sessions in Mission Control up to their logs, off the way of the turns: a change is sent a moment
 * later, together with those that came meanwhile. What cannot be sent now is tried again, at ever longer intervals; what
 * can never be sent is said once and left. A session that is behind has a mark in the home until it is not, so that the
 * next process goes on with what this one could not finish.
 */
import { asSessionId } from '../format/ids.ts'
import type { SessionId } from '../format/ids.ts'
import { homeFolder, inHome, logPath, sessionDir } from '../format/paths.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { errorText } from '../lib/error-text.ts'
import { serially } from '../lib/serially.ts'
import { readLease } from '../log/lease.ts'
import type { About } from './about-session.ts'
import { push } from './push.ts'
import type { PushParts, Right } from './push.ts'
import { isPassing, RemoteError } from './remote-error.ts'
import { noteInWorkspace } from './workspace-link.ts'

export type CopyStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'active'; readonly at: Date }
  /** `since`: from when on the copy is behind. `isFinal`: it is not tried again by itself. */
  | {
      readonly state: 'error'
      readonly error: string
      readonly since: Date
      readonly isFinal: boolean
    }

type ExporterParts = PushParts & {
  /** Whether a copy of it is to be kept. */
  isWanted(id: SessionId): Promise<boolean>
  /** What lists tell of it; undefined for one that has said nothing. */
  about(id: SessionId): Promise<About | undefined>
  readonly now?: () => Date
  /** The first wait before something is tried again. Default 1000. */
  readonly retryMs?: number
}

export type Exporter = ReturnType<typeof createExporter>

type Lane = {
  right?: Right | undefined
  status: CopyStatus
  failures: number
  isMarked: boolean
  /** This process has changed it; what another one left behind is not waited for at the end. */
  isOwn: boolean
  /** What lists there were last told of it. */
  told: string
  /** Events that this process has sent of it. */
  sent: number
  /** When workspace.yaml was last told. */
  notedAt: number
  /** What is done before anything is sent; kept in the mark. */
  first: First | undefined
  timer?: NodeJS.Timeout | undefined
  readonly run: () => Promise<void>
}

/**
 * `renew`: the copy has what must not be kept; it is removed for good and made anew from the log, if there is one.
 * `restore`: a copy that was deleted there is let in again.
 */
const FIRSTS = ['renew', 'restore'] as const
type First = (typeof FIRSTS)[number]

const LATER_MS = 50
const LONGEST_RETRY_MS = 60_000
const NOTE_MS = 5000

export function createExporter(parts: ExporterParts) {
  const { fs, now = () => new Date(), retryMs = 1000 } = parts
  const lanes = new Map<SessionId, Lane>()
  let isStopped = false

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
      await mark(id, lane)
      const isGone = (await fs.stat(logPath(sessionDir(id)))) === undefined
      const isWanted = !isGone && (await parts.isWanted(id))
      if (isGone || lane.first !== undefined) await prepare(id, lane, { isGone, isWanted })
      if (isWanted) {
        const { right, sent } = await push(parts, id, lane.right)
        lane.right = right
        lane.sent += sent
      }
      if (isWanted) await tellAbout(id, lane)
      if (isWanted) await note(id, lane)
      lane.failures = 0
      lane.status = { state: 'active', at: now() }
      await fs.remove(inHome('remoteDue', { id }))
      lane.isMarked = false
    } catch (cause) {
      lane.right = undefined
      failed(lane, cause)
    }
  }

  /** What it is called and about, where that is other than it was. */
  async function tellAbout(id: SessionId, lane: Lane): Promise<void> {
    const about = await parts.about(id)
    const text = JSON.stringify(about)
    if (about === undefined || text === lane.told) return
    await parts.server.heartbeat(id, about)
    lane.told = text
  }

  /** Now and then, and at the end: what it says is for people and other programs, the server knows it exactly. */
  async function note(id: SessionId, lane: Lane): Promise<void> {
    const { head } = lane.right?.copy ?? {}
    const isLate = now().getTime() - lane.notedAt >= NOTE_MS
    if (head === undefined || !(isLate || isStopped)) return
    lane.notedAt = now().getTime()
    await noteInWorkspace(fs, id, head.lastEventId)
  }

  /** Says too what another process left to be done. */
  async function mark(id: SessionId, lane: Lane): Promise<void> {
    const path = inHome('remoteDue', { id })
    const left = lane.isMarked ? undefined : await fs.read(path)
    lane.first ??= FIRSTS.find((first) => left !== undefined && decodeText(left) === first)
    if (lane.isMarked && lane.first === undefined) return
    await fs.writeAtomic(path, encodeText(lane.first ?? ''), { durable: lane.first !== undefined })
    lane.isMarked = true
  }

  /** What the log does not have any more must not stay in the copy; what came back is let in again. */
  async function prepare(
    id: SessionId,
    lane: Lane,
    { isGone, isWanted }: { readonly isGone: boolean; readonly isWanted: boolean },
  ): Promise<void> {
    lane.right = undefined
    const { server } = parts
    const forGood = lane.first === 'renew'
    if (isGone || forGood) await ifThere(server.remove(id, { forGood }))
    if (isWanted) await ifThere(server.restore(id))
    lane.first = undefined
    await fs.writeAtomic(inHome('remoteDue', { id }), encodeText(''), { durable: false })
  }

  function failed(lane: Lane, cause: unknown): void {
    const isFinal = cause instanceof RemoteError && !isPassing(cause)
    const since = lane.status.state === 'error' ? lane.status.since : now()
    lane.status = { state: 'error', error: errorText(cause), since, isFinal }
    if (isFinal || isStopped || !lane.isOwn) return
    const wait = Math.min(retryMs * 2 ** lane.failures, LONGEST_RETRY_MS)
    lane.failures += 1
    later(lane, wait)
  }

  function later(lane: Lane, ms: number): void {
    if (lane.timer !== undefined || isStopped) return
    lane.timer = setTimeout(() => void lane.run(), ms).unref()
  }

  return {
    /** Something was written in it, or it is to be exported from now on. */
    changed(id: SessionId): void {
      const lane = ownLane(id)
      // What was said for good is tried once more with the next change: a machine may have let go, a token been renewed.
      if (lane.status.state === 'error' && !lane.status.isFinal) return
      later(lane, LATER_MS)
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
      await mark(id, lane)
      later(lane, LATER_MS)
    },
    /** Now, whatever went wrong before. */
    async sync(id: SessionId): Promise<CopyStatus> {
      const lane = ownLane(id)
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
    status: (id: SessionId): CopyStatus | undefined => lanes.get(id)?.status,
    /** Sessions whose copies other processes left behind their logs. */
    async due(): Promise<readonly SessionId[]> {
      const names = await fs.list(homeFolder('remoteDue'))
      return names.map(({ name }) => asSessionId(name))
    },
    /** Sends what waits to be sent, and gives up after a while: the marks stay. */
    async stop(patienceMs = 2000): Promise<void> {
      isStopped = true
      for (const lane of lanes.values()) clearTimeout(lane.timer)
      const waiting = [...lanes].filter(
        ([, lane]) => lane.isOwn && (lane.timer !== undefined || lane.isMarked),
      )
      const deadline = new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
      await Promise.race([Promise.all(waiting.map(([, lane]) => lane.run())), deadline])
    },
  }
}

/** There is no copy: nothing to remove or to restore. */
async function ifThere(work: Promise<void>): Promise<void> {
  await work.catch((cause: unknown) => {
    if (!(cause instanceof RemoteError) || cause.trouble !== 'gone') throw cause
  })
}
