/** Whether the disk that holds a path takes capital and small letters for the same. */
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

type Look = (path: string) => Promise<{ readonly dev: bigint; readonly ino: bigint } | undefined>

const onDisk: Look = (path) => stat(path, { bigint: true }).catch(() => undefined) // not there

/** Asked of the nearest folder that is there and has a letter in its name. */
export async function foldsCase(path: string, look: Look = onDisk): Promise<boolean> {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const swapped = join(dirname(at), swapCase(basename(at)))
    if (swapped === at) continue
    const here = await look(at)
    if (here === undefined) continue
    const other = await look(swapped)
    return other !== undefined && other.dev === here.dev && other.ino === here.ino
  }
  return false
}

const swapCase = (name: string): string =>
  Array.from(name, (character) =>
    character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase(),
  ).join('')
