/** Sessions of this home and of other machines in one list: the nearest first, of those that are as near the newest. */
import type { Nearest, NearSession } from '../engine/catalogue/catalogue-select.ts'
import type { FarList, FarSummary } from '../engine/remote-control.ts'
import { defined } from '../lib/defined.ts'
import { buckets, relevance, type Whereabouts } from '../state/relevance.ts'

type Mixing = {
  readonly here: Whereabouts
  readonly limit: number
  readonly onlyNear?: boolean
}

export function mixed(
  local: Nearest,
  far: FarList,
  { here, limit, onlyNear = false }: Mixing,
): Nearest {
  const placed = far.sessions.map((session) => near(session, here))
  const added = onlyNear ? placed.filter(({ bucket }) => bucket !== 'Other sessions') : placed
  const nearFar = placed.filter(({ bucket }) => bucket !== 'Other sessions').length
  const { asOf, trouble } = far
  return {
    sessions: [...local.sessions, ...added].sort(nearestFirst).slice(0, limit),
    total: local.total + (onlyNear ? nearFar : far.total),
    near: local.near + nearFar,
    far: { asOf, ...defined({ trouble }) },
  }
}

const near = (session: FarSummary, here: Whereabouts): NearSession => ({
  ...session,
  bucket: relevance(session, here).bucket,
})

const nearestFirst = (a: NearSession, b: NearSession): number =>
  buckets.indexOf(a.bucket) - buckets.indexOf(b.bucket) ||
  (a.modifiedAt < b.modifiedAt ? 1 : a.modifiedAt > b.modifiedAt ? -1 : a.id < b.id ? -1 : 1)
