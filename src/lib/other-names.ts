/** Files with more than one name: a hard link leads nowhere, and is the same file all the same. */
import { stat } from 'node:fs/promises'

export const hasOtherNames = async (path: string): Promise<boolean> => {
  const found = await statsOf(path)
  return found !== undefined && found.isFile() && found.nlink > 1
}

export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([statsOf(one), statsOf(other)])
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino
}

/** Undefined when nothing can be told of it. */
const statsOf = (path: string) => stat(path).catch(() => undefined)
