/**
 * Opens a log for its one writer. What a crash left unfinished is finished or taken back first, so the log is
 * whole before the first append. A log that does not exist yet appears with that append.
 */
import type { Draft } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { openAppender, type AppenderOptions } from './append.ts'
import { EXTEND_EVERY_BYTES, NO_DIGEST, openDigest } from './digest.ts'
import { requireLease } from './durable-file.ts'
import { settleForget } from './forget-intent.ts'
import { mendTail } from './mend-tail.ts'
import { logPath } from '../format/paths.ts'
import type { Finding, LogRecord } from './record.ts'
import { redo, redoable, settleRedo, type Redone, type RedoOptions } from './redo.ts'
import { listRewound, settleRewound, type RewoundEntry } from './undo-log.ts'
import { truncateBefore, type Truncated, type TruncateOptions } from './truncate.ts'

export type OpenLogOptions = Omit<AppenderOptions, 'size' | 'lastId'> & {
  /**
   * Gives the log a file of its own first. A former writer that is still alive may have the old one open;
   * what it writes when it wakes goes nowhere.
   */
  readonly replaceInode?: boolean
}

export interface SessionLog {
  /** The durable end of the log. */
  readonly size: number
  readonly lastId: EventId | null
  /** What was wrong with the tail, and has been mended. */
  readonly mended: readonly Finding[]
  append(drafts: readonly Draft[]): Promise<readonly LogRecord[]>
  truncateBefore(eventId: EventId, options?: TruncateOptions): Promise<Truncated>
  redo(options?: RedoOptions): Promise<Redone>
  /** What rewinds removed, oldest first. */
  rewound(): Promise<readonly RewoundEntry[]>
  /** What a redo would bring back. Throws when there is nothing. */
  redoable(): Promise<RewoundEntry>
  flush(): Promise<void>
  /** Takes what is durable by now into the digest. */
  cover(): Promise<void>
  stopRetrying(): void
  hurry(): void
  close(): Promise<void>
}

export async function openLog(
  fs: SessionFs,
  dir: string,
  options: OpenLogOptions,
): Promise<SessionLog> {
  await requireLease(options.fence)
  if (options.replaceInode === true) await replaceFile(fs, logPath(dir))
  await settleForget(fs, dir)
  await settleRedo(fs, dir)
  await settleRewound(fs, dir)
  const { size, lastId, findings } = await mendTail(fs, dir)
  const appender = openAppender(fs, logPath(dir), { ...options, size, lastId })
  const digest = await openDigest(fs, dir, { size }).catch(() => NO_DIGEST) // without it the log is as good
  let covered = size
  const cover = (): Promise<void> => {
    covered = appender.size
    return digest.extend(covered)
  }
  return {
    get size() {
      return appender.size
    },
    get lastId() {
      return appender.lastId
    },
    mended: findings,
    async append(drafts) {
      const records = await appender.append(drafts)
      if (appender.size - covered >= EXTEND_EVERY_BYTES) void cover()
      return records
    },
    cover,
    truncateBefore: (eventId, given) =>
      truncateBefore(fs, dir, appender, eventId, {
        now: options.clock(),
        beforeCut: digest.cut,
        ...given,
      }),
    redo: (given) => redo(fs, dir, appender, given),
    rewound: () => listRewound(fs, dir),
    redoable: () => redoable(fs, dir, appender),
    flush: appender.flush,
    stopRetrying: appender.stopRetrying,
    hurry: appender.hurry,
    async close() {
      try {
        await appender.close()
      } finally {
        await cover()
      }
    },
  }
}

/** A copy onto itself gives the name another file with the same bytes, in one durable step. */
async function replaceFile(fs: SessionFs, path: string): Promise<void> {
  if ((await fs.stat(path)) !== undefined) await fs.copy(path, path)
}
