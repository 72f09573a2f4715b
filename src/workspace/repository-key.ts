/**
 * The key of a repository that has no remote, kept beside the session: workspace.yaml has no field for
 * it, and without it a moved directory would no longer be known as the same repository.
 */
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'

const path = (dir: string): string => inSession(dir, 'repositoryKey')

/** Longer than any key that we write; a foreign file is not read as one. */
const LIMIT = 4096

export async function readRepositoryKey(fs: SessionFs, dir: string): Promise<string | undefined> {
  const bytes = await fs.read(path(dir))
  if (bytes === undefined || bytes.length === 0 || bytes.length > LIMIT) return undefined
  return decodeText(bytes)
}

export async function writeRepositoryKey(fs: SessionFs, dir: string, key: string): Promise<void> {
  await fs.writeAtomic(path(dir), encodeText(key), { durable: false })
}
