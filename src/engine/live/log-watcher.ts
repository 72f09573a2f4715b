/**
 * Keeps an open session up to date while another process is at work in it: what that one wrote to the log, what its
 * agent asks, and what it tells without storing it. Those who follow here see the same as those who follow there.
 */
import type { Event, Stranger } from '../../format/event.ts'
import type { Notice } from '../../format/notice.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { serially } from '../../lib/coalesce.ts'
import { runningIn } from '../../state/running.ts'
import { inboxFolder } from '../transport/inbox-files.ts'
import { readNotices } from '../transport/notice-file.ts'
import { watchQuestions } from '../transport/shown-questions.ts'
import { catchUp } from './folded-log.ts'
import type { LiveSession, LogWatcher } from './live-session.ts'

export function createLogWatcher(fs: SessionFs, session: () => LiveSession): LogWatcher {
  let watch: Disposable | undefined
  let neighbour: Disposable | undefined
  const refresh = serially(async () => {
    const { writing, dir, folded, feed, work } = session()
    if (writing.writer !== undefined) return leaveNeighbour()
    const before = runningIn(folded.folder.state())
    const { records, reset } = await catchUp(fs, dir, folded)
    if (reset) feed.reset(folded.folder.state().size)
    if (neighbour !== undefined) for (const { event } of records) work.pieces.settle(event)
    feed.publish(records)
    const isOver = before !== undefined && runningIn(folded.folder.state()) === undefined
    if (isOver) feed.tell(idleAfter(records.map(({ event }) => event)))
    watchNeighbour()
  })
  /** Only while another process is at work, for only then does it ask or tell anything. */
  const watchNeighbour = () => {
    const { writing, folded } = session()
    const isAtWork = writing.writer === undefined && runningIn(folded.folder.state()) !== undefined
    if (watch !== undefined && isAtWork) neighbour ??= followNeighbour(fs, session)
    else leaveNeighbour()
  }
  const leaveNeighbour = () => {
    neighbour?.[Symbol.dispose]()
    neighbour = undefined
  }
  // A log that cannot be read now is read at the next change; a caller of `refresh` is told.
  const look = () => void refresh().catch(() => {})
  return {
    start() {
      watch ??= fs.watch(session().dir, look)
      look()
    },
    stop() {
      watch?.[Symbol.dispose]()
      watch = undefined
      leaveNeighbour()
    },
    refresh,
  }
}

const idleAfter = (events: readonly (Event | Stranger)[]): Notice => ({
  type: 'session.idle',
  data: { aborted: events.some(({ type }) => type === 'abort') },
})

function followNeighbour(fs: SessionFs, session: () => LiveSession): Disposable {
  const questions = watchQuestions(fs, session)
  const notices = readNotices(fs, session())
  const { pieces } = session().work
  const look = serially(async () => {
    const told = await notices.read()
    const { feed, writing } = session()
    if (writing.writer !== undefined) return
    for (const notice of told) {
      // Not as a listener of the feed: those who follow come and go, and this with the last of them.
      pieces.hear(notice)
      feed.tell(notice)
    }
  })
  // What cannot be read now may be missed: a notice is never stored.
  const lookQuietly = () => void look().catch(() => {})
  const watch = fs.watch(inboxFolder(session().dir), lookQuietly)
  lookQuietly()
  return {
    [Symbol.dispose]() {
      watch[Symbol.dispose]()
      questions[Symbol.dispose]()
      pieces.clear()
    },
  }
}
