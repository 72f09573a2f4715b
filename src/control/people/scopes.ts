/** What a token may do, and what the role of its person allows at most. */
/** `work`: runs tasks of everybody; without it a worker runs those of its own person. */
export const SCOPES = ['export', 'watch', 'steer', 'start', 'work', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const ROLES = ['owner', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const allowed: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  member: ['export', 'watch', 'steer', 'start'],
  viewer: ['watch'],
}

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)
const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

/** Undefined when one of them is unknown. */
export function scopesIn(text: string): readonly Scope[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every(isScope) ? [...new Set(parts)] : undefined
}

/** Who asks, as every part of the server knows them. */
export type Asker = {
  readonly tenant: string
  readonly person: string
  readonly role: Role
  readonly token: string
  readonly machine: string
  readonly scopes: readonly Scope[]
  /** A guest: they see this session, redacted, and nothing else. */
  readonly guestOf?: string
}
