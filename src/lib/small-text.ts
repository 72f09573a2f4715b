/** The whole text of a small file; undefined when there is no regular file that can be read, or it is larger. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { decodeText } from './bytes.ts'

export async function readSmallText(
  path: string,
  limit = 1024 * 1024,
): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  try {
    const stat = await handle?.stat()
    if (handle === undefined || stat?.isFile() !== true || stat.size > limit) return undefined
    return decodeText(await handle.readFile())
  } catch {
    // Read by nobody is the same as not there.
    return undefined
  } finally {
    await handle?.close()
  }
}
