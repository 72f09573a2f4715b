/** Keeps an open session up to date with its log, and with what is asked in it, while another process is at work. */
import type { SessionFs } from '../../fs/session-fs.ts'
import { serially } from '../../lib/serially.ts'
import { runningIn } from '../../state/running.ts'
import { watchQuestions } from '../neighbours/inbox-questions.ts'
import { catchUp } from './knowledge.ts'
import type { LiveSession } from './live-session.ts'

export interface Observer {
  /** Follows the log for as long as somebody here watches. */
  start(): void
  stop(): void
  /** Reads and publishes what others wrote. The only reader that adds to what is known: calls never overlap. */
  refresh(): Promise<void>
}

export function createObserver(fs: SessionFs, session: () => LiveSession): Observer {
  let watch: Disposable | undefined
  let asked: Disposable | undefined
  const refresh = serially(async () => {
    const { writer, dir, knowledge, feed } = session()
    if (writer !== undefined) return leaveAsked()
    const { records, reset } = await catchUp(fs, dir, knowledge)
    if (reset) feed.reset(knowledge.folder.state().size)
    feed.publish(records)
    watchAsked()
  })
  /** Only while somebody else is at work, for only then can something be asked. */
  const watchAsked = () => {
    const { writer, knowledge } = session()
    const isAtWork = writer === undefined && runningIn(knowledge.folder.state()) !== undefined
    if (watch !== undefined && isAtWork) asked ??= watchQuestions(fs, session)
    else leaveAsked()
  }
  const leaveAsked = () => {
    asked?.[Symbol.dispose]()
    asked = undefined
  }
  // A log that cannot be read now is read at the next change; whoever asks for it directly is told.
  const look = () => void refresh().catch(() => {})
  return {
    start() {
      watch ??= fs.watch(session().dir, look)
      look()
    },
    stop() {
      watch?.[Symbol.dispose]()
      watch = undefined
      leaveAsked()
    },
    refresh,
  }
}
