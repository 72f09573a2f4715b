/**
 * Writes the rows of a catalogue into a file of their own, page by page: what has not changed is copied as it stands.
 * The file is durable before anything names it.
 */
import { randomBytes } from 'node:crypto'
import { layout } from '../../format/layout.ts'
import { homeFolder, readName } from '../../format/paths.ts'
import type { AppendFile, SessionFs } from '../../fs/session-fs.ts'
import { WIDTH, columnsOf, logMtimeAt } from './catalogue-columns.ts'
import { encodeRows, newestFirst, type CatalogueRow } from './catalogue-row.ts'
import { ENTRY, ROWS_VERSION, rowsPath, type Rows } from './catalogue-rows.ts'

const FULL = 256
/** A page of fewer rows takes some of the next. */
const SMALL = 64

/** The rows of portions that are each, and one after the other, newest first. The name of the file. */
export async function writeRows(
  fs: SessionFs,
  portions: AsyncIterable<readonly CatalogueRow[]> | Iterable<readonly CatalogueRow[]>,
): Promise<string> {
  return writing(fs, async (out) => {
    for await (const rows of portions) await out.add(rows)
  })
}

/** A file of the same rows without those that are gone, and with those that came. */
export async function mergeRows(
  fs: SessionFs,
  old: Rows,
  { gone, news }: { readonly gone: ReadonlySet<number>; readonly news: readonly CatalogueRow[] },
): Promise<string> {
  const waiting = [...news].sort(newestFirst)
  const touched = new Set([...gone].map(old.pageOf))
  return writing(fs, async (out) => {
    for (let page = 0; page < old.pages; page++) {
      const [from, to] = [old.firstOf(page), old.firstOf(page + 1)]
      const columns = await old.columns(from, to)
      // As old as the last of this page, or newer: with equal times the ids decide between the two.
      const oldestMs = logMtimeAt(columns, columns.length - WIDTH)
      const came = waiting.splice(
        0,
        countWhile(waiting, (row) => row.logMtimeMs >= oldestMs),
      )
      if (came.length === 0 && !touched.has(page) && out.isEven()) {
        await out.copy(await old.bytesOf(page), columns, (await old.ids()).ofPage(page))
        continue
      }
      const stayed = (await old.page(page)).filter((_, at) => !gone.has(from + at))
      await out.add([...stayed, ...came].sort(newestFirst))
    }
    await out.add(waiting)
  })
}

const countWhile = <T>(items: readonly T[], holds: (item: T) => boolean): number => {
  const end = items.findIndex((item) => !holds(item))
  return end === -1 ? items.length : end
}

/** Another process may still read, or name again, the file before this one; those before that are of no use. */
export async function removeOldRows(fs: SessionFs, keep: readonly string[]): Promise<void> {
  for (const { name } of await fs.list(homeFolder('catalogueRows'))) {
    const { process } = readName(layout.home.catalogueRows, name) ?? {}
    if (process !== undefined && !keep.includes(process)) await fs.remove(rowsPath(process))
  }
}

async function writing(
  fs: SessionFs,
  write: (out: ReturnType<typeof createWriter>) => Promise<void>,
): Promise<string> {
  const name = randomBytes(6).toString('hex')
  const file = await fs.openAppend(rowsPath(name))
  try {
    const out = createWriter(file)
    await write(out)
    await out.finish()
    await file.sync()
  } catch (error) {
    await fs.remove(rowsPath(name))
    throw error
  } finally {
    await file.close()
  }
  return name
}

const BLOCK_BYTES = 1024 * 1024

function createWriter(file: AppendFile) {
  let position = 0
  let held: Uint8Array[] = []
  let heldBytes = 0
  let rows = 0
  let idBytes = 1
  const left: CatalogueRow[] = []
  const columns: Float64Array[] = []
  const ids: string[] = ['\n']
  const directory: number[] = []

  async function put(bytes: Uint8Array): Promise<void> {
    held.push(bytes)
    heldBytes += bytes.length
    if (heldBytes >= BLOCK_BYTES) await flush()
  }

  async function flush(): Promise<void> {
    await file.write(held, position)
    position += heldBytes
    held = []
    heldBytes = 0
  }

  async function copy(
    bytes: Uint8Array,
    numbers: Float64Array,
    names: readonly string[],
  ): Promise<void> {
    directory.push(position + heldBytes, bytes.length, rows, idBytes)
    columns.push(numbers)
    const lines = `${names.join('\n')}\n`
    ids.push(lines)
    idBytes += lines.length
    rows += names.length
    await put(bytes)
  }

  const page = (some: readonly CatalogueRow[]): Promise<void> =>
    copy(
      Buffer.from(inAscii(JSON.stringify(encodeRows(some))), 'latin1'),
      Float64Array.from(some.flatMap(columnsOf)),
      some.map(({ session }) => session.id),
    )

  return {
    copy,
    /** Nothing waits for a page: one that is whole may follow. */
    isEven: () => left.length === 0,
    async add(some: readonly CatalogueRow[]) {
      left.push(...some)
      while (left.length >= SMALL) await page(left.splice(0, FULL))
    },
    async finish() {
      if (left.length > 0) await page(left)
      const columnsAt = position + heldBytes
      for (const numbers of columns) await put(bytesOf(numbers))
      const idsAt = position + heldBytes
      for (const lines of ids) await put(Buffer.from(lines, 'latin1'))
      const directoryAt = position + heldBytes
      await put(bytesOf(Float64Array.from(directory)))
      const pages = directory.length / ENTRY
      const footer = [ROWS_VERSION, rows, pages, columnsAt, idsAt, directoryAt]
      await put(bytesOf(Float64Array.from(footer)))
      await flush()
    },
  }
}

const bytesOf = (numbers: Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

/** A text of other characters takes twice the room in memory, and longer to read. */
export const inAscii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
