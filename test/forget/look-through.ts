/**
 * Looks for a word in every file below some folders, as whoever gets hold of the disk would: in the bytes as they are
 * and as they unpack, escaped, in base64 and in UTF-16, and in the pages of databases that nothing names any more.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  inflateRawSync,
  zstdDecompressSync,
} from 'node:zlib'

/** Paths, each with the form that was found. The word is of letters and digits, so that a database keeps it in one. */
export function lookThrough(folders: readonly string[], word: string): string[] {
  const forms = formsOf(word)
  return folders.flatMap((folder) =>
    filesBelow(folder).flatMap((path) => {
      const bytes = readFileSync(path)
      const found = [...unpacked(bytes)].flatMap((each) =>
        forms.filter(({ needle }) => each.includes(needle)).map(({ form }) => `${path} (${form})`),
      )
      // A name is a place, too.
      return path.includes(word) ? [...found, `${path} (name)`] : found
    }),
  )
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

type Form = { readonly form: string; readonly needle: Buffer }

function formsOf(word: string): Form[] {
  const base64 = [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), Buffer.from(word)])
    const text = shifted.toString('base64')
    return text.slice(before === 0 ? 0 : before + 1, Math.floor((shifted.length * 8) / 6))
  })
  return [
    { form: 'plain', needle: Buffer.from(word) },
    // An index keeps of a word what differs from the word before it.
    { form: 'end of it', needle: Buffer.from(word.slice(3)) },
    { form: 'escaped', needle: Buffer.from([...word].map(escaped).join('')) },
    { form: 'UTF-16', needle: Buffer.from(word, 'utf16le') },
    { form: 'UTF-16 the other way', needle: Buffer.from(word, 'utf16le').swap16() },
    ...base64.map((text) => ({ form: 'base64', needle: Buffer.from(text) })),
  ]
}

const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

const WAYS = [gunzipSync, inflateSync, brotliDecompressSync, zstdDecompressSync]
/** What begins a packed stream, wherever it stands in a file. */
const MAGIC = [
  { begin: Buffer.from([0x1f, 0x8b, 0x08]), unpack: gunzipSync },
  { begin: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), unpack: zstdDecompressSync },
]

/** The bytes, and everything that unpacks from them. */
function* unpacked(bytes: Buffer): Generator<Buffer> {
  yield bytes
  for (const way of [...WAYS, inflateRawSync]) yield* attempt(way, bytes)
  for (const { begin, unpack } of MAGIC)
    for (let at = bytes.indexOf(begin, 1); at !== -1; at = bytes.indexOf(begin, at + 1))
      yield* attempt(unpack, bytes.subarray(at))
}

function* attempt(unpack: (bytes: Buffer) => Buffer, bytes: Buffer): Generator<Buffer> {
  try {
    yield unpack(bytes)
  } catch {
    // Not packed in this way.
  }
}
