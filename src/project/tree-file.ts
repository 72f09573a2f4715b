/**
 * A project as it was last seen, in the form in which sessions of the same project share it: columns of numbers, so
 * that 50,000 files are had without making an object of each. Pure.
 */
import type { Stats } from 'node:fs'
import * as zlib from 'node:zlib'
import { defined } from '../lib/defined.ts'
import { fileMode, folderMode, type FileState, type Stamp } from './file-state.ts'
import type { Known } from './observe.ts'
import type { Listing } from './scan.ts'

export type TreeFolder = Omit<Listing, 'seen'> & {
  readonly path: string
  /** False when it changed while it was listed: its names are read again. */
  readonly isListed: boolean
}

export type TreeHead = {
  /** Another limit would cover other files. */
  readonly maxFileBytes: number
  /** The stamp of the root itself, which has no row. */
  readonly seen: Stamp
  /** The packs that hold the contents, by their names. */
  readonly packs: readonly string[]
  /** By what the packs of the project's git repository are known, which hold the others. */
  readonly git: string
}

export interface Tree {
  readonly head: TreeHead
  readonly folders: ReadonlyMap<string, TreeFolder>
  /** How many paths it knows. */
  readonly size: number
  get(path: string): Known | undefined
  paths(): Iterable<string>
  hashes(): Iterable<string>
  /** Whether a name of a folder, by its index there, is as it was. */
  sameIn(folder: TreeFolder): (index: number, stats: Stats) => boolean
}

const VERSION = 1
const TYPES = ['none', 'file', 'folder', 'link'] as const
const FORMATS = [-1, 0o100000, 0o040000, 0o120000]
const FORMAT_BITS = 0o170000
const [NONE, FILE, FOLDER] = [0, 1, 2]
const COLUMNS = ['size', 'mode', 'ino', 'mtimeMs', 'ctimeMs', 'birthMs'] as const
const HASH_BYTES = 32
const BLOB_BYTES = 20
const NO_BLOB = '0'.repeat(2 * BLOB_BYTES)
const LEVEL = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } }

type Shape = TreeHead & {
  readonly version: number
  readonly folders: readonly (Omit<TreeFolder, 'names'> & { readonly count: number })[]
  readonly targets: readonly (readonly [number, string])[]
  readonly hasBlobs: boolean
  readonly nameBytes: number
  readonly rows: number
}

/** What is not surely known, or was too young when it was read, is only named. */
export function encodeTree(
  head: TreeHead,
  folders: readonly TreeFolder[],
  known: (path: string) => Known | undefined,
): Uint8Array {
  const names: string[] = []
  const rows: (Known | undefined)[] = []
  const targets: [number, string][] = []
  for (const folder of folders) {
    for (const name of folder.names) {
      const now = known(inFolder(folder.path, name))
      const isSure = now !== undefined && !now.isYoung && now.state.type !== 'unknown'
      if (isSure && now.state.type === 'link') targets.push([rows.length, now.state.target])
      names.push(name)
      rows.push(isSure ? now : undefined)
    }
  }
  const nameBytes = Buffer.from(names.join('\0'))
  const shape: Shape = {
    version: VERSION,
    ...head,
    folders: folders.map(({ names: { length: count }, ...folder }) => ({ ...folder, count })),
    targets,
    hasBlobs: rows.some((now) => now?.blob !== undefined),
    nameBytes: nameBytes.length,
    rows: rows.length,
  }
  const types = Buffer.from(
    rows.map((now) => (now ? TYPES.indexOf(now.state.type as Named) : NONE)),
  )
  const columns = COLUMNS.map((name) => {
    const column = Float64Array.from(rows, (now) => now?.seen[name] ?? 0)
    return Buffer.from(column.buffer)
  })
  const hashes = Buffer.alloc(rows.length * HASH_BYTES)
  for (const [row, now] of rows.entries())
    if (now?.state.type === 'file') hashes.write(now.state.sha256, row * HASH_BYTES, 'hex')
  const blobs = Buffer.alloc(shape.hasBlobs ? rows.length * BLOB_BYTES : 0)
  for (const [row, now] of rows.entries())
    if (now?.blob !== undefined) blobs.write(now.blob, row * BLOB_BYTES, 'hex')
  const first = Buffer.from(`${JSON.stringify(shape)}\n`)
  return zlib.zstdCompressSync(
    Buffer.concat([first, nameBytes, types, ...columns, hashes, blobs]),
    LEVEL,
  )
}

type Named = (typeof TYPES)[number]

/** Undefined when it is of another version. Throws when it is damaged. */
export function decodeTree(compressed: Uint8Array): Tree | undefined {
  const bytes = zlib.zstdDecompressSync(compressed)
  const end = bytes.indexOf(0x0a)
  const shape = JSON.parse(bytes.toString('utf8', 0, end)) as Shape
  if (shape.version !== VERSION) return undefined
  const { rows } = shape
  let at = end + 1
  const take = (length: number): Buffer => {
    const part = bytes.subarray(at, (at += length))
    if (part.length !== length) throw new Error('a tree that was cut short')
    return part
  }
  const names = take(shape.nameBytes).toString().split('\0')
  const types = take(rows)
  const column = () => {
    const part = take(rows * 8)
    const column = new Float64Array(rows)
    part.copy(new Uint8Array(column.buffer))
    return column
  }
  const [sizes, modes, inodes] = [column(), column(), column()]
  const [mtimes, ctimes, births] = [column(), column(), column()]
  const hashes = take(rows * HASH_BYTES)
  const blobs = take(shape.hasBlobs ? rows * BLOB_BYTES : 0)
  const targets = new Map(shape.targets)
  const folders = new Map<string, TreeFolder>()
  const starts = new Map<TreeFolder, number>()
  let start = 0
  for (const { count, ...folder } of shape.folders) {
    const whole = { ...folder, names: names.slice(start, start + count) }
    folders.set(folder.path, whole)
    starts.set(whole, start)
    start += count
  }
  const numbers = new Map<TreeFolder, Map<string, number>>()
  let known = 0
  for (const type of types) if (type !== NONE) known++

  return {
    head: shape,
    folders,
    size: known,
    get,
    *paths() {
      for (const folder of folders.values()) {
        const first = starts.get(folder) ?? 0
        for (const [index, name] of folder.names.entries())
          if (types[first + index] !== NONE) yield inFolder(folder.path, name)
      }
    },
    *hashes() {
      for (let row = 0; row < rows; row++) if (types[row] === FILE) yield hashAt(row)
    },
    sameIn(folder) {
      const first = starts.get(folder) ?? 0
      return (index, stats) => {
        const row = first + index
        const type = types[row] ?? NONE
        return (
          FORMATS[type] === (stats.mode & FORMAT_BITS) &&
          ctimes[row] === stats.ctimeMs &&
          mtimes[row] === stats.mtimeMs &&
          inodes[row] === stats.ino &&
          (type === FOLDER || sizes[row] === stats.size) &&
          modes[row] === (type === FOLDER ? folderMode(stats.mode) : fileMode(stats.mode))
        )
      }
    },
  }

  function get(path: string): Known | undefined {
    const cut = path.lastIndexOf('/')
    const folder = folders.get(cut === -1 ? '' : path.slice(0, cut))
    if (folder === undefined) return undefined
    let inside = numbers.get(folder)
    if (inside === undefined) {
      const first = starts.get(folder) ?? 0
      inside = new Map(folder.names.map((name, index) => [name, first + index]))
      numbers.set(folder, inside)
    }
    const row = inside.get(path.slice(cut + 1))
    return row === undefined ? undefined : rowAt(row)
  }

  function rowAt(row: number): Known | undefined {
    const type = TYPES[types[row] ?? NONE]
    if (type === undefined || type === 'none') return undefined
    const seen: Stamp = {
      type,
      size: sizes[row] ?? 0,
      mode: modes[row] ?? 0,
      ino: inodes[row] ?? 0,
      mtimeMs: mtimes[row] ?? 0,
      ctimeMs: ctimes[row] ?? 0,
      birthMs: births[row] ?? 0,
    }
    return { state: stateAt(row, seen), seen, isYoung: false, ...defined({ blob: blobAt(row) }) }
  }

  function stateAt(row: number, { type, size, mode }: Stamp): FileState {
    if (type === 'folder') return { type, mode }
    if (type === 'link') return { type, target: targets.get(row) ?? '' }
    return { type, sha256: hashAt(row), size, mode }
  }

  function blobAt(row: number): string | undefined {
    const blob = blobs.toString('hex', row * BLOB_BYTES, (row + 1) * BLOB_BYTES)
    return blob === '' || blob === NO_BLOB ? undefined : blob
  }

  function hashAt(row: number): string {
    return hashes.toString('hex', row * HASH_BYTES, (row + 1) * HASH_BYTES)
  }
}

export const inFolder = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`
