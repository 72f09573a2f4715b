/** How near a session is to where the user works now. A branch counts only within its own repository. */
export type Whereabouts = {
  readonly repository?: string
  /** One key for one repository, whatever directory, worktree or remote spelling it is reached by. */
  readonly repositoryKey?: string
  readonly branch?: string
  readonly gitRoot?: string
  readonly cwd?: string
}

export const buckets = [
  'This branch',
  'This repository',
  'This git root',
  'This directory',
  'Other sessions',
] as const

export type Bucket = (typeof buckets)[number]

type Relevance = {
  readonly bucket: Bucket
  /** Higher is nearer; 0 for other sessions. */
  readonly score: number
}

/** Where a session is, in the form in which it is compared: as texts, or as one number for each text. */
export type Compared<T> = {
  readonly repository?: T | undefined
  readonly repositoryKey?: T | undefined
  readonly branch?: T | undefined
  readonly gitRoot?: T | undefined
  readonly cwd?: T | undefined
}

export function relevance(session: Whereabouts, here: Whereabouts): Relevance {
  const bucket = bucketOf(compared(session), compared(here))
  return { bucket, score: buckets.length - 1 - buckets.indexOf(bucket) }
}

/** Hosts treat owner and name without regard to case; an empty text says as little as none. */
export const compared = (where: Whereabouts): Compared<string> => ({
  repository: where.repository?.toLowerCase() || undefined,
  repositoryKey: where.repositoryKey,
  branch: where.branch || undefined,
  gitRoot: path(where.gitRoot) || undefined,
  cwd: path(where.cwd) || undefined,
})

export function bucketOf<T>(session: Compared<T>, here: Compared<T>): Bucket {
  if (sameRepository(session, here)) {
    return same(session.branch, here.branch) ? 'This branch' : 'This repository'
  }
  if (same(session.gitRoot, here.gitRoot)) return 'This git root'
  if (same(session.cwd, here.cwd)) return 'This directory'
  return 'Other sessions'
}

const sameRepository = <T>(session: Compared<T>, here: Compared<T>): boolean =>
  session.repositoryKey !== undefined && here.repositoryKey !== undefined
    ? session.repositoryKey === here.repositoryKey
    : same(session.repository, here.repository)

/** Unknown equals nothing, not even unknown. */
const same = <T>(one: T | undefined, other: T | undefined) => one !== undefined && one === other

const path = (value: string | undefined) =>
  value === undefined ? undefined : value.replace(/(?<=[^/\\])[/\\]+$/, '')

type Candidate = Whereabouts & {
  readonly id: string
  /** ISO time of the last change. */
  readonly modifiedAt: string
}

/** The nearest first; among equals the newest, then the smaller id, so that the choice is stable. */
export function byRelevance<S extends Candidate>(sessions: readonly S[], here: Whereabouts): S[] {
  return sessions
    .map((session) => ({ session, score: relevance(session, here).score }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        compare(b.session.modifiedAt, a.session.modifiedAt) ||
        compare(a.session.id, b.session.id),
    )
    .map(({ session }) => session)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
