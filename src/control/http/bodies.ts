/** What requests of the API may hold. */
import { z } from 'zod'
import { KINDS } from '../commands/kinds.ts'
import { ROLES, SCOPES } from '../people/scopes.ts'
import { STATES } from '../sessions/presence.ts'
import { SHARINGS } from '../sessions/stored-session.ts'

const name = z.string().trim().min(1).max(200)
const scopes = z.array(z.enum(SCOPES)).min(1)

export const CodeLogin = z.object({
  code: z.string().max(200),
  name: name.optional(),
  machine: name.optional(),
  account: name.optional(),
})
export const DeviceLogin = z.object({ name, machine: name, scopes })
export const DeviceToken = z.object({ deviceCode: z.string().max(200) })
export const Approval = z.object({ userCode: z.string().max(20), approve: z.boolean() })
export const NewPerson = z.object({ name, role: z.enum(ROLES) })
export const Renamed = z.object({ name })
export const GuestLink = z.object({
  hours: z
    .number()
    .int()
    .min(1)
    .max(30 * 24)
    .optional(),
})
export const NewToken = z.object({
  name,
  scopes,
  machine: name.optional(),
  person: z.string().max(100).optional(),
  /** Days from now. */
  days: z.number().int().min(1).max(3650).optional(),
})
export const Sharing = z.object({ sharing: z.enum(SHARINGS) })
export const Pin = z.object({ pinned: z.boolean() })
export const Heartbeat = z.object({
  state: z.enum(STATES).optional(),
  activity: z.string().max(500).optional(),
  name: z.string().max(500).optional(),
  repository: z.string().max(500).optional(),
  branch: z.string().max(500).optional(),
  summary: z.string().max(500).optional(),
  steerable: z.boolean().optional(),
})
/** Of a list: some of them, those of a repository first; or those that a word means. */
export const SessionsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  repository: z.string().max(500).optional(),
  q: z.string().max(500).optional(),
  meant: z.string().max(500).optional(),
})
export const NewCommand = z.object({
  id: z.string().regex(/^[\w.:-]{1,100}$/),
  kind: z.enum(KINDS),
  content: z.string().max(256 * 1024),
  /** Seconds until it is of no use, if no machine has taken it. */
  seconds: z
    .number()
    .int()
    .min(1)
    .max(30 * 24 * 3600)
    .optional(),
})
export const Claim = z.object({
  /** Seconds to wait when nothing is to be done now. */
  wait: z.number().int().min(0).max(60).optional(),
})
export const Grant = z.object({ person: z.string().max(100), kinds: z.array(z.enum(KINDS)) })
/** As they are told live: an object with a type. */
export const LiveNotices = z.object({
  notices: z
    .array(z.looseObject({ type: z.string().min(1).max(100) }))
    .min(1)
    .max(200),
})
export const SqlBody = z.object({
  sql: z
    .string()
    .min(1)
    .max(256 * 1024),
  of: z.enum(['mine', 'team']).optional(),
  /** Only what belongs to it. */
  repository: z.string().max(500).optional(),
})
/** What the machine answers, as JSON. */
const result = z
  .string()
  .max(1024 * 1024)
  .optional()
export const Settlement = z.union([
  z.object({ state: z.literal('applied'), event: z.string().min(1).max(200), result }),
  z.object({ state: z.literal('refused'), reason: z.string().min(1).max(2000), result }),
])
