/** Text files of this machine, read one by one and written together: into a folder, or into one archive. */
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tarOf, type TarFile } from './tar.ts'

/** The file, or the files of the folder at all levels. Throws when it is neither, or too large to be read by people. */
export async function textFilesAt(
  place: string,
  { isFolder, mostBytes }: { readonly isFolder: boolean; readonly mostBytes: number },
): Promise<readonly string[]> {
  const found = await stat(place)
  if (!isFolder && !found.isFile()) throw new Error('it is no file')
  if (found.isFile() && found.size > mostBytes) throw new Error(`it has ${found.size} bytes`)
  if (!isFolder) return [place]
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
}

export const readText = (path: string): Promise<string> => readFile(path, 'utf8')

export async function writeFolder(folder: string, files: readonly TarFile[]): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const { path, text } of files) {
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    await writeFile(place, text, { mode: 0o600 })
  }
  return folder
}

/** With `isBeside` the first name that is free: `logs.tgz`, `logs (1).tgz`, … */
export async function writeArchive(
  path: string,
  files: readonly TarFile[],
  { isBeside }: { readonly isBeside: boolean },
): Promise<string> {
  const packed = gzipSync(tarOf(files, new Date()))
  await mkdir(dirname(path), { recursive: true })
  if (!isBeside) {
    await writeFile(path, packed, { mode: 0o600 })
    return path
  }
  const extension = extname(path)
  const stem = path.slice(0, path.length - extension.length)
  for (let number = 0; ; number++) {
    const place = number === 0 ? path : `${stem} (${number})${extension}`
    try {
      await writeFile(place, packed, { mode: 0o600, flag: 'wx' })
      return place
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
