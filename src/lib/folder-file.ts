/** The bytes of a regular file in a folder of the program itself; undefined when there is none, or it is too large. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

export async function readFolderFile(
  folder: string,
  path: string,
  limit = 8 * 1024 * 1024,
): Promise<Uint8Array | undefined> {
  try {
    const root = await realpath(folder)
    const place = await realpath(join(root, path))
    if (!place.startsWith(root + sep)) return undefined
    await using handle = await open(place, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await handle.stat()
    return stat.isFile() && stat.size <= limit ? new Uint8Array(await handle.readFile()) : undefined
  } catch {
    // Missing or unreadable: to the caller it is not there.
    return undefined
  }
}
