/**
 * Which restores of files belong to a rewind, noted beside what it removed from the log: only a rewind that took
 * files back brings files back, and those.
 */
import { inSession } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { isObject } from '../../project/journal.ts'

/** Ids of restores in the journal. */
type Restores = { readonly project?: string; readonly workspace?: string }

/** Without an id the last restore is meant. */
type Noted = { readonly id: string | undefined }

const notePath = (dir: string, entry: string): string =>
  inSession(dir, 'rewoundFiles', { nnn: entry })

/** Numbers of entries are used again: a rewind without files leaves no note of another. */
export async function writeNote(
  fs: SessionFs,
  dir: string,
  entry: string,
  restores: Restores,
): Promise<void> {
  if (Object.keys(restores).length === 0) return removeNote(fs, dir, entry)
  const text = JSON.stringify({ version: 1, ...restores })
  await fs.writeAtomic(notePath(dir, entry), encodeText(`${text}\n`), { durable: true })
}

export const removeNote = (fs: SessionFs, dir: string, entry: string): Promise<void> =>
  fs.remove(notePath(dir, entry))

export async function readNote(
  fs: SessionFs,
  dir: string,
  entry: string,
): Promise<
  { project: Noted | undefined; workspace: { readonly id: string } | undefined } | undefined
> {
  const bytes = await fs.read(notePath(dir, entry))
  if (bytes === undefined) return undefined
  const text = decodeText(bytes)
  // Earlier versions left an empty note, and knew of the project alone.
  if (text === '') return { project: { id: undefined }, workspace: undefined }
  const { project, workspace } = parsed(text)
  return {
    project: typeof project === 'string' ? { id: project } : undefined,
    workspace: typeof workspace === 'string' ? { id: workspace } : undefined,
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    // Damaged: which restores it named cannot be told, so none is taken back.
    return {}
  }
}
