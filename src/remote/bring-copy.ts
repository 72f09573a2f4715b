/** Brings one copy in Mission Control up to its log, once: what must come first, the events, and what lists tell of it. */
import type { SessionId } from '../format/ids.ts'
import { inHome, logPath, sessionDir } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import type { About } from './session-descriptor.ts'
import { push, type PushParts, type Right } from './push.ts'
import { RemoteError } from './remote-error.ts'
import { forgetRemoved, noteRemoved } from './removed.ts'
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

export type CopyParts = PushParts & {
  /** Whether a copy of it is to be kept. */
  isWanted(id: SessionId): Promise<boolean>
  /** What lists tell of it; undefined for one that has said nothing. */
  about(id: SessionId): Promise<About | undefined>
  readonly now: () => Date
  /** Nothing more is to come: what was only told now and then is told. */
  isLast(id: SessionId): boolean
}

export type Lane = {
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
  /** When workspace.yaml was last told, and of which event. */
  notedAt: number
  noted?: string
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
export type First = (typeof FIRSTS)[number]

const NOTE_MS = 5000

export async function bringCopy(parts: CopyParts, id: SessionId, lane: Lane): Promise<void> {
  const { fs } = parts
  await mark(fs, id, lane)
  const isGone = (await fs.stat(logPath(sessionDir(id)))) === undefined
  const isWanted = !isGone && (await parts.isWanted(id))
  if (isGone || lane.first !== undefined) await prepare(parts, id, lane, { isGone, isWanted })
  if (isWanted) {
    const { right, sent } = await push(parts, id, lane.right)
    lane.right = right
    lane.sent += sent
    await tellAbout(parts, id, lane)
    await note(parts, id, lane)
  }
  lane.failures = 0
  lane.status = { state: 'active', at: parts.now() }
  await fs.remove(inHome('remoteDue', { id }))
  lane.isMarked = false
}

/** What it is called and about, where that is other than it was. */
async function tellAbout(parts: CopyParts, id: SessionId, lane: Lane): Promise<void> {
  const about = await parts.about(id)
  const text = JSON.stringify(about)
  if (about === undefined || text === lane.told) return
  await parts.server.heartbeat(id, about)
  lane.told = text
}

/** Now and then, and at the end: what it says is for people and other programs, the server knows it exactly. */
async function note(parts: CopyParts, id: SessionId, lane: Lane): Promise<void> {
  const { fs, now } = parts
  const { head } = lane.right?.copy ?? {}
  const isLate = now().getTime() - lane.notedAt >= NOTE_MS
  if (head === undefined || !(isLate || parts.isLast(id))) return
  lane.notedAt = now().getTime()
  await noteInWorkspace(fs, id, head.lastEventId)
  lane.noted = head.lastEventId
}

/** Says too what another process left to be done. */
export async function mark(fs: SessionFs, id: SessionId, lane: Lane): Promise<void> {
  const path = inHome('remoteDue', { id })
  const left = lane.isMarked ? undefined : await fs.read(path)
  lane.first ??= FIRSTS.find((first) => left !== undefined && decodeText(left) === first)
  if (lane.isMarked && lane.first === undefined) return
  await fs.writeAtomic(path, encodeText(lane.first ?? ''), { durable: lane.first !== undefined })
  lane.isMarked = true
}

/** What the log does not have any more must not stay in the copy; what came back is let in again. */
async function prepare(
  { fs, server }: CopyParts,
  id: SessionId,
  lane: Lane,
  { isGone, isWanted }: { readonly isGone: boolean; readonly isWanted: boolean },
): Promise<void> {
  lane.right = undefined
  const forGood = lane.first === 'renew'
  if (isGone || forGood) {
    const removal = await ifThere(server.remove(id, { forGood }))
    if (removal !== undefined)
      await noteRemoved(fs, id, { server: server.url, forGood, ...removal })
  } else await forgetRemoved(fs, id)
  if (isWanted) await ifThere(server.restore(id))
  lane.first = undefined
  await fs.writeAtomic(inHome('remoteDue', { id }), encodeText(''), { durable: false })
}

/** There is no copy: nothing to remove or to restore. */
async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof RemoteError && cause.trouble === 'gone') return undefined
    throw cause
  }
}
