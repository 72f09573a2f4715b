/** What a guest is given passes here: its secrets are taken out, and where on the owner's machine it was done. */
import type { Web } from './route.ts'

/** Fields of events that name directories of the machine. Paths within what was said and done stay. */
const PLACES: ReadonlySet<string> = new Set([
  'cwd',
  'gitRoot',
  'workspacePath',
  'checkpointPath',
  'outputFilePath',
])

export const redactForGuest =
  ({ redact }: Pick<Web, 'redact'>): Web['redact'] =>
  async <T>(value: T): Promise<T> => {
    const clean = await redact(value)
    if (typeof clean !== 'object' || clean === null) return clean
    const text = JSON.stringify(clean, (key, each: unknown) => (PLACES.has(key) ? undefined : each))
    return JSON.parse(text) as T
  }
