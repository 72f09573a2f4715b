import { codeOf, isInTheWay } from '../fs/fs-error.ts'
import { errorText } from '../lib/error-text.ts'
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
    `The disk cannot be written: ${errorText(cause)}. Everything acknowledged is intact. Make room or mend the disk, then try again.`,
    { cause, details: { code: cause.code } },
  )
}

/** Something in the home is not what it should be, and was met where nobody looks at one session alone. */
export const inTheWay = (cause: unknown): EngineError | undefined =>
  isInTheWay(cause) && codeOf(cause) !== 'ENOENT'
    ? new EngineError(
        'corrupt',
        `${errorText(cause)}. What is recorded is as it was. "reprise doctor" says what is wrong.`,
        { cause },
      )
    : undefined

/** Of a file that a person named: its disk is at fault, or its name. */
export const notWritten = (cause: unknown): EngineError =>
  diskError(cause) ??
  new EngineError(
    'invalid',
    `Nothing was written: ${errorText(cause)}. Give another file with -o.`,
    { cause },
  )
