/** How permissions stand in a session: the rules that hold, the mode, and what a person has allowed in this process. */
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { preview } from '../../state/preview.ts'
import { revokeGrant, type Grant } from './grants.ts'

export type PermissionStanding = {
  readonly mode: string
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly grants: readonly Pick<Grant, 'number' | 'says' | 'givenBy' | 'givenAt'>[]
}

export const standing = ({ rules }: EngineContext, session: LiveSession): PermissionStanding => ({
  mode: stateOf(session).mode,
  allow: rules?.allow ?? [],
  deny: rules?.deny ?? [],
  grants: session.asks.grants.list.map((grant) => ({
    number: grant.number,
    says: inFull(grant),
    givenBy: grant.givenBy,
    givenAt: grant.givenAt,
  })),
})

/** Where it was given the command stood above it; in a list it does not. */
const inFull = ({ says, covers }: Grant): string =>
  'command' in covers ? `exactly \`${preview(covers.command, 120)}\`` : says

/** Takes one back, or all. How many there were. */
export function revoke({ asks: { grants } }: LiveSession, number: number | 'all'): number {
  if (number === 'all') return grants.list.splice(0).length
  if (revokeGrant(grants, number)) return 1
  throw new EngineError(
    'not_found',
    `Nothing was allowed under the number ${number}. Nothing was changed. /permissions lists what was.`,
  )
}
