/**
 * Files and folders in memory, each in two versions: as written, and as it would be found after a power cut.
 * A file's bytes become durable by its sync; a name becomes durable by a sync of the folder that holds it.
 */
export type MemoryFile = {
  readonly kind: 'file'
  readonly identity: string
  mtimeMs: number
  bytes: Bytes
  durable: Bytes
  /** The first byte that differs from the durable version, or may. */
  dirtyFrom: number
}

export type MemoryFolder = {
  readonly kind: 'folder'
  readonly identity: string
  mtimeMs: number
  readonly entries: Map<string, MemoryNode>
  durable: Map<string, MemoryNode>
}

export type MemoryNode = MemoryFile | MemoryFolder

/** A buffer that grows by doubling, and how much of it counts. */
type Bytes = { readonly buffer: Uint8Array; readonly length: number }

let made = 0
const newIdentity = (): string => `memory:${(made += 1)}`

export const newFolder = (): MemoryFolder => ({
  kind: 'folder',
  identity: newIdentity(),
  mtimeMs: Date.now(),
  entries: new Map(),
  durable: new Map(),
})

export function newFile(content: Uint8Array = new Uint8Array()): MemoryFile {
  const nothing = { buffer: new Uint8Array(), length: 0 }
  const file: MemoryFile = {
    kind: 'file',
    identity: newIdentity(),
    mtimeMs: Date.now(),
    bytes: nothing,
    durable: nothing,
    dirtyFrom: 0,
  }
  writeAt(file, content, 0)
  return file
}

export const contentOf = (file: MemoryFile): Uint8Array =>
  file.bytes.buffer.subarray(0, file.bytes.length)

export function writeAt(file: MemoryFile, chunk: Uint8Array, position: number): void {
  file.bytes = written(file.bytes, chunk, position)
  file.dirtyFrom = Math.min(file.dirtyFrom, position)
  file.mtimeMs = Date.now()
}

export function cutTo(file: MemoryFile, size: number): void {
  file.bytes = resized(file.bytes, size)
  file.dirtyFrom = Math.min(file.dirtyFrom, size)
  file.mtimeMs = Date.now()
}

export function syncFile(file: MemoryFile): void {
  const changed = file.bytes.buffer.subarray(file.dirtyFrom, file.bytes.length)
  file.durable = resized(written(file.durable, changed, file.dirtyFrom), file.bytes.length)
  file.dirtyFrom = file.bytes.length
}

/**
 * As on Linux: a failed sync forgets which pages were not written, and the next one reports success without
 * writing them. Only bytes that are written again can become durable.
 */
export function failSync(file: MemoryFile): void {
  file.dirtyFrom = file.bytes.length
}

export function syncNames(folder: MemoryFolder): void {
  folder.durable = new Map(folder.entries)
}

/** What a power cut leaves. A file that has a durable name and no durable bytes is found empty. */
export function survivors(folder: MemoryFolder): MemoryFolder {
  const survivor = newFolder()
  for (const [name, node] of folder.durable) {
    survivor.entries.set(name, node.kind === 'folder' ? survivors(node) : survivingFile(node))
  }
  syncNames(survivor)
  return survivor
}

function survivingFile(file: MemoryFile): MemoryFile {
  const survivor = newFile(file.durable.buffer.slice(0, file.durable.length))
  syncFile(survivor)
  return survivor
}

function written(bytes: Bytes, chunk: Uint8Array, position: number): Bytes {
  const end = position + chunk.length
  const grown = end > bytes.length ? resized(bytes, end) : bytes
  grown.buffer.set(chunk, position)
  return grown
}

function resized({ buffer, length }: Bytes, size: number): Bytes {
  if (size <= buffer.length) {
    // A hole reads as zeros, also where other bytes stood before a cut.
    if (size > length) buffer.fill(0, length, size)
    return { buffer, length: size }
  }
  const larger = new Uint8Array(Math.max(size, buffer.length * 2, 256))
  larger.set(buffer.subarray(0, length))
  return { buffer: larger, length: size }
}
