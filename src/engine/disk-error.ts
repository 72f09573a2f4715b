import { EngineError } from './errors.ts'

/** What a disk says when it cannot take more. */
const DISK: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EFBIG',
  'EMFILE',
  'ENFILE',
])

/** In words, wherever it is met; undefined when it is no fault of a disk. */
export function diskError(cause: unknown): EngineError | undefined {
  if (!(cause instanceof Error) || !('code' in cause) || !DISK.has(String(cause.code)))
    return undefined
  return new EngineError(
    'not_durable',
    `The disk cannot be written: ${cause.message}. Everything acknowledged is intact. Make room or mend the disk, then try again.`,
    { cause, details: { code: cause.code } },
  )
}
