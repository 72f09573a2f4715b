/** Failures that we find ourselves carry the same codes as those of the operating system. */
export class FsError extends Error {
  override readonly name = 'FsError'
  readonly code: string
  readonly path: string

  constructor(code: string, path: string, explanation: string) {
    super(`${code}: ${explanation}: ${path}`)
    this.code = code
    this.path = path
  }
}

/** What a database says of a statement that it will not, or cannot, run. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

export const isMissing = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** A file system that gives no file a second name: FAT, and some that lie on a network. */
export const hasNoLinks = (error: unknown): boolean => NO_LINKS.has(codeOf(error) ?? '')

const IN_THE_WAY = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENOTDIR', 'EISDIR', 'EINVAL', 'ENOENT'])

/** A closed door, a link, or another kind of thing than the name is for: it stays so until a person changes it. */
export const isInTheWay = (error: unknown): boolean => IN_THE_WAY.has(codeOf(error) ?? '')
