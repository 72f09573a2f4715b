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

export function relevance(session: Whereabouts, here: Whereabouts): Relevance {
  const bucket = bucketOf(session, here)
  return { bucket, score: buckets.length - 1 - buckets.indexOf(bucket) }
}

function bucketOf(session: Whereabouts, here: Whereabouts): Bucket {
  if (sameRepository(session, here)) {
    return same(session.branch, here.branch) ? 'This branch' : 'This repository'
  }
  if (same(path(session.gitRoot), path(here.gitRoot))) return 'This git root'
  if (same(path(session.cwd), path(here.cwd))) return 'This directory'
  return 'Other sessions'
}

function sameRepository(session: Whereabouts, here: Whereabouts): boolean {
  if (session.repositoryKey !== undefined && here.repositoryKey !== undefined) {
    return session.repositoryKey === here.repositoryKey
  }
  // Hosts treat owner and name without regard to case.
  return same(session.repository?.toLowerCase(), here.repository?.toLowerCase())
}

/** Unknown equals nothing, not even unknown. */
const same = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one !== '' && one === other

const path = (value: string | undefined) =>
  value === undefined ? undefined : value.replace(/(?<=[^/\\])[/\\]+$/, '')

type Candidate = Whereabouts & {
  readonly id: string
  /** ISO time of the last change. */
  readonly modifiedAt: string
}

/** The nearest session; among equals the newest, then the smaller id, so that the choice is stable. */
export function pickForContext<S extends Candidate>(
  sessions: readonly S[],
  here: Whereabouts,
): S | undefined {
  return byRelevance(sessions, here)[0]
}

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
