/** What a guest is given passes here: its secrets are taken out, and where on the owner's machine it was done. */
import { withoutPlaces } from '../../lib/redact/machine-paths.ts'
import type { Web } from './route.ts'

export const redactForGuest =
  ({ redact }: Pick<Web, 'redact'>): Web['redact'] =>
  async (value) =>
    withoutPlaces(await redact(value))
