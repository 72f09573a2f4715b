/**
 * The contents of the tree as sessions kept them that are older than the packs of the home: uncompressed, in one file
 * of the session's folder. They are only read. A content that comes back has been checked against its hash.
 */
import { layout } from '../format/layout.ts'
import { inSession, readName, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { sha256Of } from './sha256.ts'

interface Pack {
  readonly bytes: number
  has(sha256: string): boolean
  get(sha256: string): Promise<Uint8Array | undefined>
}

/** A record of the index: the hash, where the content starts, how long it is. */
const HASH_BYTES = 32
const RECORD_BYTES = HASH_BYTES + 8 + 8

type PackRange = { readonly start: number; readonly size: number }

export async function openPack(fs: SessionFs, dir: string): Promise<Pack> {
  const n = await oldest(fs, dir)
  if (n === undefined) return NONE
  const path = inSession(dir, 'pack', { n })
  const places = await readIndex(fs, inSession(dir, 'packIndex', { n }))
  return {
    bytes: (await fs.stat(path))?.size ?? 0,
    has: (sha256) => places.has(sha256),
    async get(sha256) {
      const place = places.get(sha256)
      const bytes = place && (await readPlace(fs, path, place))
      if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes
      // Torn by a power cut.
      places.delete(sha256)
      return undefined
    },
  }
}

const NONE: Pack = { bytes: 0, has: () => false, get: async () => undefined }

/** The older of two is whole: the newer was being written when its process ended. */
async function oldest(fs: SessionFs, dir: string): Promise<number | undefined> {
  const numbers = (await fs.list(sessionFolder(dir, 'pack'))).flatMap(({ name }) => {
    const n = readName(layout.session.packIndex, name)?.n
    return n === undefined ? [] : [Number(n)]
  })
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

async function readIndex(fs: SessionFs, path: string): Promise<Map<string, PackRange>> {
  const bytes = Buffer.from((await fs.read(path)) ?? [])
  const places = new Map<string, PackRange>()
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    places.set(bytes.toString('hex', at, at + HASH_BYTES), {
      start: Number(bytes.readBigUInt64LE(at + HASH_BYTES)),
      size: Number(bytes.readBigUInt64LE(at + HASH_BYTES + 8)),
    })
  }
  return places
}

async function readPlace(
  fs: SessionFs,
  path: string,
  { start, size }: PackRange,
): Promise<Uint8Array | undefined> {
  const file = await fs.openRead(path)
  if (file === undefined) return undefined
  try {
    const bytes = new Uint8Array(size)
    return (await file.read(bytes, start)) === size ? bytes : undefined
  } finally {
    await file.close()
  }
}
