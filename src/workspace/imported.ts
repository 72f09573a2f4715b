/** What a session was imported from, kept beside it: which agent, how much of the log came from there, what was lost. */
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { isFields, type Fields } from '../lib/fields.ts'

export type ImportNote = {
  readonly version: 1
  /** By its short name, and as people call it. */
  readonly agent: string
  readonly title: string
  readonly nativeId: string
  /** What a rewind left there, when it is that. */
  readonly branch?: string
  readonly importedAt: string
  /** The part of the log that came from there: its length and its hash. */
  readonly bytes: number
  readonly sha256: string
  readonly events: number
  /** The project as `session.start` has it; a later import says the same. */
  readonly context: Fields
  /** The fidelity report. */
  readonly report: Fields
}

const path = (dir: string): string => inSession(dir, 'imported')

/** Undefined for a session that was not imported, and for a note that cannot be read. */
export async function readImportNote(fs: SessionFs, dir: string): Promise<ImportNote | undefined> {
  const [stat] = await fs.statMany([path(dir)])
  const bytes = stat && (await fs.read(path(dir)))
  if (bytes === undefined) return undefined
  try {
    const note: unknown = JSON.parse(decodeText(bytes))
    return isNote(note) ? note : undefined
  } catch {
    // Damaged: the session is as any other.
    return undefined
  }
}

const isNote = (note: unknown): note is ImportNote =>
  isFields(note) &&
  note['version'] === 1 &&
  typeof note['agent'] === 'string' &&
  typeof note['title'] === 'string' &&
  typeof note['bytes'] === 'number' &&
  typeof note['sha256'] === 'string' &&
  isFields(note['context']) &&
  isFields(note['report'])

export const writeImportNote = (fs: SessionFs, dir: string, note: ImportNote): Promise<void> =>
  fs.writeAtomic(path(dir), encodeText(`${JSON.stringify(note)}\n`), { durable: true })
