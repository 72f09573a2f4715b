/**
 * Writes down what a turn tells as it streams, before it stands in an event: other processes follow it as if the turn
 * ran with them, and after a kill at most 4 KiB of it are missing, after a power cut at most the last second. The turn
 * does not depend on it: where it cannot be written, the turn goes on.
 */
import type { Notice } from '../../format/notice.ts'
import type { AppendFile } from '../../fs/session-fs.ts'
import { encodeText } from '../../lib/bytes.ts'
import { serially } from '../../lib/coalesce.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { lineOf, streamPath } from '../live/stream-lines.ts'
import { underLease } from '../live/under-lease.ts'
import { redactNotices } from './redact-notices.ts'

/** Pieces that come closer together are written together; with a client that owns its files, once a second. */
const GATHER_MS = { here: 100, client: 1000 }
/** So much is not waited with. */
const GATHER_CHARS = 2048
const SYNC_MS = 1000
/** A file that has grown to this is written anew with what is unfinished. */
const MOST_CHARS = 1024 * 1024

export async function withStreamFile<T>(
  engine: EngineContext,
  session: LiveSession,
  turn: string,
  work: () => Promise<T>,
): Promise<T> {
  const { fs } = engine
  const path = streamPath(session.dir)
  const clean = redactNotices(engine)
  const { pieces } = session.work
  const isOurs = underLease(session)
  let waiting = ''
  let file: AppendFile | undefined
  let size = 0
  let limit = MOST_CHARS
  let isSynced = true

  const begin = () => lineOf({ turn, after: stateOf(session).turns.at(-1)?.eventId })

  /** In one step: a kill leaves the old file or the new one. */
  const writeAnew = async () => {
    const kept = pieces.notices().map((notice) => lineOf({ kept: notice }))
    const bytes = encodeText(`${begin()}${kept.join('')}`)
    await file?.close()
    file = undefined
    await fs.writeAtomic(path, bytes, { durable: false })
    limit = Math.max(MOST_CHARS, 2 * bytes.length)
    file = await fs.openAppend(path)
    size = bytes.length
  }
  const write = serially(async () => {
    // What a killed process left there goes into the log first.
    if (waiting === '' || session.written.interrupted !== undefined) return
    // A process that stood still for longer than this looks again before it writes.
    const isWanted = fs.isShared ? await isOurs(SYNC_MS) : !pieces.isEmpty
    if (!isWanted) return void (waiting = '')
    const text = waiting
    waiting = ''
    if (file === undefined) {
      file = await fs.openAppend(path)
      await file.truncate(0)
      size = 0
    }
    // With a redactor the parts as they were told must not be written.
    if (size + text.length > limit && engine.redact === undefined) await writeAnew()
    const bytes = encodeText(size === 0 ? `${begin()}${text}` : text)
    await file.write([bytes], size)
    size += bytes.length
    isSynced = false
  })
  // A disk that takes no notices takes none; the turn itself is not concerned.
  const writeQuietly = () => void write().catch(() => {})
  const sync = setInterval(() => {
    if (isSynced || file === undefined || !fs.isShared) return
    isSynced = true
    // What was not synced is what a power cut may take: the next second tries again.
    void file.sync().catch(() => (isSynced = false))
  }, SYNC_MS)
  sync.unref()
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    if (waiting.length >= GATHER_CHARS && fs.isShared) return writeQuietly()
    timer ??= setTimeout(
      () => {
        timer = undefined
        writeQuietly()
      },
      fs.isShared ? GATHER_MS.here : GATHER_MS.client,
    )
  }
  using _listening = session.feed.subscribe((item) => {
    if (item.kind === 'event') pieces.settle(item.event)
    if (item.kind !== 'notice') return
    pieces.hear(item.notice)
    if (!isStreamed(item.notice)) return
    // Nobody else reads it there: only what would be lost is written.
    if (!fs.isShared && pieces.isEmpty) return
    for (const notice of clean(item.notice)) waiting += lineOf(notice)
    later()
  })
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    clearInterval(sync)
    // What was being written is in the log by now, or the log could not be written either.
    if (fs.isShared || !pieces.isEmpty) await write().catch(() => {})
    await file?.close().catch(() => {}) // likewise
    if (pieces.isEmpty && file !== undefined && (await isOurs()))
      await fs.remove(path).catch(() => {}) // a file that stays is found to hold nothing new
    pieces.clear()
  }
}

/** What streams or moves while a turn runs. Questions have files of their own; the rest is in the log. */
const STREAMED = /^(?:assistant|model|tool)\.|^pending_messages\.modified$|^session\.usage_info$/

const isStreamed = ({ type }: Notice): boolean => STREAMED.test(type)
