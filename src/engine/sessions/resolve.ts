/** What a person means by a value given to --resume: an id, the beginning of one, a name, or a new session's id. */
import { resolveSession, type Resolution as Resolved } from '../../state/resolve.ts'
import { legacySessions, listSessions, sessionsMeantBy } from '../catalogue/catalogue.ts'
import type { SessionFs } from '../../fs/session-fs.ts'

export type Resolution = Resolved | { readonly kind: 'legacy'; readonly path: string }

export async function resolve(fs: SessionFs, value: string): Promise<Resolution> {
  const found = await resolveInCatalogue(fs, value)
  if (found.kind === 'found' || found.kind === 'ambiguous') return found
  const wanted = value.trim().toLowerCase()
  const old = (await legacySessions(fs)).find((name) => name.toLowerCase().startsWith(wanted))
  return old === undefined || wanted.length < 4 ? found : { kind: 'legacy', path: old }
}

/** All names are read only when none fits, to tell which are near. */
async function resolveInCatalogue(fs: SessionFs, value: string): Promise<Resolved> {
  const found = resolveSession(value, await sessionsMeantBy(fs, value))
  return found.kind === 'none' ? resolveSession(value, await listSessions(fs)) : found
}
