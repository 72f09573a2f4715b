/**
 * A session's checkpoints: one file a summary, and index.md over them. The files are the truth; the
 * index gives their titles and is written anew from them, so an index that was lost loses only titles.
 */
import {
  checkpointFileName,
  parseIndex,
  parseSummary,
  printIndex,
  type CheckpointEntry,
} from '../format/checkpoint-file.ts'
import { layout } from '../format/layout.ts'
import { fileName, folderOf, readName, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { autoName } from './metadata.ts'

export type Checkpoint = CheckpointEntry

export const CHECKPOINTS = folderOf(layout.session.checkpoint)
const checkpointsIn = (dir: string): string => sessionFolder(dir, 'checkpoint')
const INDEX = fileName(layout.session.checkpointIndex)

export async function createCheckpoints(fs: SessionFs, dir: string): Promise<void> {
  if ((await fs.stat(`${checkpointsIn(dir)}/${INDEX}`)) === undefined) {
    await indexCheckpoints(fs, dir, [])
  }
}

/** In the order of their numbers. */
export const listCheckpoints = (fs: SessionFs, dir: string): Promise<Checkpoint[]> =>
  entriesIn(fs, checkpointsIn(dir))

export async function readCheckpoint(
  fs: SessionFs,
  dir: string,
  number: number,
): Promise<string | undefined> {
  const entry = (await listCheckpoints(fs, dir)).find((candidate) => candidate.number === number)
  if (entry === undefined) return undefined
  const bytes = await fs.read(`${checkpointsIn(dir)}/${entry.file}`)
  return bytes && decodeText(bytes)
}

/** The next number. Returns when the summary would survive a power cut. */
export async function addCheckpoint(
  fs: SessionFs,
  dir: string,
  summary: { readonly title?: string; readonly text: string },
): Promise<{ readonly number: number; readonly path: string }> {
  const number = ((await listCheckpoints(fs, dir)).at(-1)?.number ?? 0) + 1
  return writeCheckpoint(fs, dir, { number, ...summary })
}

/** `path` is the native one, for the event. Without a title the summary's first line is the title. */
export async function writeCheckpoint(
  fs: SessionFs,
  dir: string,
  summary: {
    readonly number: number
    readonly title?: string
    readonly text: string
    /** The name that the log gives it, when the file is written again. */
    readonly file?: string
  },
): Promise<{ readonly number: number; readonly path: string }> {
  const { number, text, title = titleOf(text) } = summary
  const file = summary.file ?? checkpointFileName(number, title)
  const path = `${checkpointsIn(dir)}/${file}`
  await fs.writeAtomic(path, encodeText(text), { durable: true })
  const others = (await listCheckpoints(fs, dir)).filter((entry) => entry.file !== file)
  await indexCheckpoints(fs, dir, [...others, { number, title, file }])
  return { number, path: fs.nativePath(path) }
}

const titleOf = (text: string): string => autoName(parseSummary(text).overview ?? '') ?? 'Summary'

export const indexCheckpoints = (
  fs: SessionFs,
  dir: string,
  entries: readonly Checkpoint[],
): Promise<void> => writeIndex(fs, checkpointsIn(dir), entries)

/** Moves all but these to the folder `aside`. Says which were moved. */
export function trimCheckpoints(
  fs: SessionFs,
  dir: string,
  { keep, aside }: { readonly keep: readonly number[]; readonly aside: string },
): Promise<number[]> {
  return move(fs, checkpointsIn(dir), aside, (number) => !keep.includes(number))
}

/** The target's index is written first: a crash on the way loses no title, and the next move ends it. */
async function move(
  fs: SessionFs,
  from: string,
  to: string,
  isMoved: (number: number) => boolean,
): Promise<number[]> {
  const entries = await entriesIn(fs, from)
  const moved = entries.filter(({ number }) => isMoved(number))
  if (moved.length === 0) return []
  await writeIndex(fs, to, [...(await entriesIn(fs, to)), ...moved])
  for (const { file } of moved) {
    await makeRoom(fs, to, file)
    await fs.rename(`${from}/${file}`, `${to}/${file}`)
  }
  await writeIndex(
    fs,
    from,
    entries.filter(({ number }) => !isMoved(number)),
  )
  return moved.map(({ number }) => number)
}

/** An older file of the same name is kept under another one, which is no checkpoint's. */
async function makeRoom(fs: SessionFs, folder: string, file: string): Promise<void> {
  const taken = new Set((await fs.list(folder)).map(({ name }) => name))
  if (!taken.has(file)) return
  let number = 1
  while (taken.has(`${file}.${number}`)) number++
  await fs.rename(`${folder}/${file}`, `${folder}/${file}.${number}`)
}

async function entriesIn(fs: SessionFs, folder: string): Promise<Checkpoint[]> {
  const bytes = await fs.read(`${folder}/${INDEX}`)
  const indexed = bytes === undefined ? [] : parseIndex(decodeText(bytes))
  const titles = new Map(indexed.map(({ file, title }) => [file, title]))
  return (await fs.list(folder))
    .flatMap(({ name, kind }) => {
      const { nnn: number, slug = '' } = readName(layout.session.checkpoint, name) ?? {}
      if (number === undefined || kind !== 'file') return []
      const title = titles.get(name) ?? slug.replaceAll('-', ' ')
      return [{ number: Number(number), title, file: name }]
    })
    .sort((a, b) => a.number - b.number || (a.file < b.file ? -1 : 1))
}

/** What index.md says otherwise than the files beside it. A title is right when the file, or its name, is called so. */
export async function checkIndex(fs: SessionFs, dir: string): Promise<readonly string[]> {
  const folder = checkpointsIn(dir)
  const bytes = await fs.read(`${folder}/${INDEX}`)
  const files = await listCheckpoints(fs, dir)
  if (bytes === undefined) return files.length === 0 ? [] : ['is gone']
  const rows = parseIndex(decodeText(bytes))
  const wrong =
    files.length === rows.length ? [] : [`has ${rows.length} rows for ${files.length} files`]
  for (const { number, file } of files) {
    const row = rows.find((each) => each.file === file)
    if (row === undefined) wrong.push(`does not name ${file}`)
    else if (row.number !== number) wrong.push(`calls ${file} number ${row.number}`)
    else if (
      checkpointFileName(number, row.title) !== file &&
      row.title !== (await titleIn(fs, `${folder}/${file}`))
    )
      wrong.push(`gives ${file} another title than the file has`)
  }
  return wrong
}

const titleIn = async (fs: SessionFs, path: string): Promise<string | undefined> => {
  const bytes = await fs.read(path)
  return bytes && titleOf(decodeText(bytes))
}

/** The index anew, with the titles that the files give. */
export async function rebuildIndex(fs: SessionFs, dir: string): Promise<void> {
  const files = await listCheckpoints(fs, dir)
  const entries = await Promise.all(
    files.map(async (entry) => {
      const title = await titleIn(fs, `${checkpointsIn(dir)}/${entry.file}`)
      return { ...entry, title: title ?? entry.title }
    }),
  )
  await indexCheckpoints(fs, dir, entries)
}

async function writeIndex(
  fs: SessionFs,
  folder: string,
  entries: readonly Checkpoint[],
): Promise<void> {
  const ordered = [...new Map(entries.map((entry) => [entry.file, entry])).values()].sort(
    (a, b) => a.number - b.number,
  )
  await fs.writeAtomic(`${folder}/${INDEX}`, encodeText(printIndex(ordered)), { durable: false })
}
