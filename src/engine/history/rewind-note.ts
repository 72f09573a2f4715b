/**
 * Which restores of files belong to a rewind, noted beside what it removed from the log: only a rewind that took
 * files back brings files back, and those.
 */
import { inSession } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { RewoundDamaged } from '../../log/errors.ts'
import { defined } from '../../lib/defined.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { checked, withChecksum, type Checked } from '../../lib/checksum.ts'
import { isObject } from '../../project/journal-entry.ts'

/** Ids of restores in the journal. */
type Restores = { readonly project?: string; readonly workspace?: string }

/** Without an id the last restore is meant. */
type Noted = { readonly id: string | undefined }

type Note = {
  readonly project: Noted | undefined
  readonly workspace: { readonly id: string } | undefined
}

export const notePath = (dir: string, entry: string): string =>
  inSession(dir, 'rewoundFiles', { nnn: entry })

/** Numbers of entries are used again: a rewind without files leaves no note of another. */
export async function writeNote(
  fs: SessionFs,
  dir: string,
  entry: string,
  restores: Restores,
): Promise<void> {
  if (Object.keys(restores).length === 0) return removeNote(fs, dir, entry)
  const text = JSON.stringify(withChecksum({ version: 1, ...restores }))
  await fs.writeAtomic(notePath(dir, entry), encodeText(`${text}\n`), { durable: true })
}

export const removeNote = (fs: SessionFs, dir: string, entry: string): Promise<void> =>
  fs.remove(notePath(dir, entry))

/** Undefined where no file was restored. Throws when it cannot be known any more which were. */
export async function readNote(
  fs: SessionFs,
  dir: string,
  entry: string,
): Promise<Note | undefined> {
  const look = await lookAtNote(fs, dir, entry)
  if (look?.checked !== 'wrong') return look?.note
  throw new RewoundDamaged(fs.nativePath(notePath(dir, entry)), 'is not as it was written')
}

export async function lookAtNote(
  fs: SessionFs,
  dir: string,
  entry: string,
): Promise<{ readonly note: Note; readonly checked: Checked } | undefined> {
  const bytes = await fs.read(notePath(dir, entry))
  if (bytes === undefined) return undefined
  const text = decodeText(bytes)
  // Earlier versions left an empty note, and knew of the project alone.
  if (text === '')
    return { note: { project: { id: undefined }, workspace: undefined }, checked: 'absent' }
  const value = parsed(text)
  const { version, project, workspace, checksum } = value ?? {}
  const known = defined({ version, project, workspace, checksum })
  const note = {
    project: typeof project === 'string' ? { id: project } : undefined,
    workspace: typeof workspace === 'string' ? { id: workspace } : undefined,
  }
  return { note, checked: value === undefined ? 'wrong' : checked(known) }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    // Damaged, as the caller says.
    return undefined
  }
}
