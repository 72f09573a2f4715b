/** Pictures that go along with a file for the Copilot CLI: its import takes them by their path, seen from the file. */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Picture } from './convert/import-drafts.ts'

/** More its import does not take. */
const MOST_ATTACHED_BYTES = 10 * 1024 * 1024

/** In a folder beside the file, which is named after it. */
export function besides(path: string): (picture: Picture) => Promise<string | undefined> {
  const folder = `${basename(path, '.jsonl')}.attachments`
  let count = 0
  return async ({ mimeType, data }) => {
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > MOST_ATTACHED_BYTES) return undefined
    const kind = /^image\/(\w+)$/.exec(mimeType)?.[1] ?? 'bin'
    count += 1
    const name = `${folder}/${count}.${kind}`
    await mkdir(join(dirname(path), folder), { recursive: true, mode: 0o700 })
    await writeFile(join(dirname(path), name), bytes, { mode: 0o600, flag: 'wx' })
    return name
  }
}
