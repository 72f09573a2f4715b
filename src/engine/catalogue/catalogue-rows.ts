/**
 * The rows of a catalogue as a file that is written once and never changed: pages of rows, newest first, and behind
 * them what a question about all of them needs. A question for fifty rows reads the pages that hold them.
 *
 *     pages       JSON in ASCII, up to 256 rows each
 *     columns     nine numbers a row, as catalogue-columns.ts has them
 *     ids         one a line, in the order of the rows, with a line feed before the first
 *     directory   four numbers a page: where it begins, its bytes, its first row, where its ids begin
 *     footer      six numbers: version, rows, pages, and where columns, ids and directory begin
 *
 * All numbers are doubles, the lowest byte first.
 */
import { inHome } from '../../format/paths.ts'
import type { ReadFile, SessionFs } from '../../fs/session-fs.ts'
import { readRange } from '../../log/range.ts'
import { WIDTH } from './catalogue-columns.ts'
import { decodeRows, type CatalogueRow } from './catalogue-row.ts'

export const ROWS_VERSION = 1
const FOOTER = 6
export const ENTRY = 4
const DOUBLE = 8

/** The file is not what it was written as. It is derived: it is thrown away and made again. */
export class CatalogueDamaged extends Error {
  override readonly name = 'CatalogueDamaged'
}

export interface Rows extends AsyncDisposable {
  readonly name: string
  readonly count: number
  readonly pages: number
  /** The numbers of these rows. */
  columns(from: number, to: number): Promise<Float64Array>
  ids(): Promise<Ids>
  pageOf(row: number): number
  /** The first row of a page; `count` for the one behind the last. */
  firstOf(page: number): number
  page(page: number): Promise<CatalogueRow[]>
  /** As it stands in the file. */
  bytesOf(page: number): Promise<Uint8Array>
}

interface Ids {
  /** All of them, each between two line feeds. */
  readonly text: string
  ofPage(page: number): string[]
  rowOf(id: string): number | undefined
  /** The row whose id begins at this place of the text. */
  rowAt(place: number): number
}

export const rowsPath = (name: string): string => inHome('catalogueRows', { process: name })

/** Undefined when it is missing or was never finished. */
export async function openRows(fs: SessionFs, name: string): Promise<Rows | undefined> {
  const file = await fs.openRead(rowsPath(name))
  if (file === undefined) return undefined
  const rows = await readFooter(file, name)
  if (rows === undefined) await file.close()
  return rows
}

async function readFooter(file: ReadFile, name: string): Promise<Rows | undefined> {
  if (file.size < FOOTER * DOUBLE) return undefined
  const footerAt = file.size - FOOTER * DOUBLE
  const [version, count = 0, pages = 0, columnsAt = 0, idsAt = 0, directoryAt = 0] = await doubles(
    file,
    footerAt,
    FOOTER,
  )
  if (version !== ROWS_VERSION || directoryAt + pages * ENTRY * DOUBLE !== footerAt)
    return undefined
  if (columnsAt + count * WIDTH * DOUBLE !== idsAt) return undefined
  const directory = await doubles(file, directoryAt, pages * ENTRY)
  const firstOf = (page: number) => directory[page * ENTRY + 2] ?? count
  const pageOf = (row: number) => lastBelow(pages, (page) => firstOf(page) <= row)
  const bytesOf = async (page: number) => {
    const start = directory[page * ENTRY] ?? 0
    return readRange(file, { start, end: start + (directory[page * ENTRY + 1] ?? 0) })
  }
  let ids: Promise<Ids> | undefined
  return {
    name,
    count,
    pages,
    columns: (from, to) => doubles(file, columnsAt + from * WIDTH * DOUBLE, (to - from) * WIDTH),
    ids: () =>
      (ids ??= readRange(file, { start: idsAt, end: directoryAt }).then((bytes) =>
        idsIn(bytes.toString('latin1'), pages, firstOf, (page) => directory[page * ENTRY + 3] ?? 0),
      )),
    pageOf,
    firstOf,
    async page(page) {
      const rows = decodePage(await bytesOf(page))
      if (rows?.length !== firstOf(page + 1) - firstOf(page)) throw new CatalogueDamaged()
      return rows
    },
    bytesOf,
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function decodePage(bytes: Uint8Array): CatalogueRow[] | undefined {
  try {
    return decodeRows(JSON.parse(Buffer.from(bytes).toString('latin1')))
  } catch {
    // The caller is told that it is no page.
    return undefined
  }
}

function idsIn(
  text: string,
  pages: number,
  firstOf: (page: number) => number,
  startOf: (page: number) => number,
): Ids {
  const rowAt = (place: number): number => {
    const page = lastBelow(pages, (each) => startOf(each) <= place)
    let row = firstOf(page)
    for (let at = startOf(page); at < place; row++) at = text.indexOf('\n', at) + 1
    return row
  }
  return {
    text,
    rowAt,
    ofPage(page) {
      const end = page + 1 < pages ? startOf(page + 1) : text.length
      return text.slice(startOf(page), end - 1).split('\n')
    },
    rowOf(id) {
      const place = text.indexOf(`\n${id}\n`)
      return place === -1 ? undefined : rowAt(place + 1)
    },
  }
}

/** The last of `count` numbers for which it holds; it holds for none behind one for which it does not. */
function lastBelow(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

async function doubles(file: ReadFile, start: number, count: number): Promise<Float64Array> {
  const numbers = new Float64Array(count)
  const bytes = new Uint8Array(numbers.buffer)
  if ((await file.read(bytes, start)) !== bytes.length) throw new CatalogueDamaged()
  return numbers
}
