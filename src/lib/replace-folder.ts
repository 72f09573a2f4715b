/** Puts a copy of a folder in the place of another, in one step. */
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function replaceFolder(from: string, to: string): Promise<void> {
  const made = `${to}.reprise-tmp-${crypto.randomUUID()}`
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await cp(from, made, { recursive: true, verbatimSymlinks: true })
    await removeFolder(to)
    await rename(made, to)
  } finally {
    await removeFolder(made)
  }
}

export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true })
