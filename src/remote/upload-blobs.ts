/**
 * The contents that an event names beside the log, as they leave the machine: text without its secrets, and named in the
 * event by the hash that it has then. What is no text leaves as it is; what the server does not take stays here, and
 * the event tells of it all the same.
 */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { BlobDamaged } from '../log/errors.ts'
import { blobSize, readBlob } from '../log/blobs.ts'

export type RedactText = (text: string) => string

export type LeavingBlob = { readonly hash: string; readonly bytes: Uint8Array }

/** What the server has been given of a session: the hash that it has there, by the one that it has here. */
export type GivenBlobs = Map<string, string>

/** More of them are not remembered: what is sent twice is kept once. */
const MOST_GIVEN = 1000

const MOST_BYTES = 64 * 1024 * 1024

const Naming = z.looseObject({
  data: z.looseObject({
    reprise: z.looseObject({ blobs: z.array(z.looseObject({ sha256: z.string() })) }),
  }),
})

/** The line with the names that hold there, and what they name. */
export async function leavingBlobs(
  { fs, redactText }: { readonly fs: SessionFs; readonly redactText: RedactText },
  dir: string,
  line: Uint8Array,
  given: GivenBlobs,
): Promise<{ readonly line: Uint8Array; readonly blobs: readonly LeavingBlob[] }> {
  const text = decodeText(line)
  if (!text.includes('"sha256"')) return { line, blobs: [] }
  const named = Naming.safeParse(JSON.parse(text)).data?.data.reprise.blobs ?? []
  const blobs: LeavingBlob[] = []
  let told = text
  for (const { sha256 } of named) {
    const there = given.get(sha256)
    if (there !== undefined) {
      told = told.replaceAll(sha256, there)
      continue
    }
    const bytes = await contentOf(fs, dir, sha256)
    if (bytes === undefined) continue
    const clean = isUtf8(bytes) ? redacted(bytes, redactText) : bytes
    const hash = clean === bytes ? sha256 : sha256Of(clean)
    // Its place is named by it too, and so is what stands in its place in the event.
    told = told.replaceAll(sha256, hash)
    blobs.push({ hash, bytes: clean })
    if (given.size >= MOST_GIVEN) given.clear()
    given.set(sha256, hash)
  }
  return { line: told === text ? line : encodeText(told), blobs }
}

function redacted(bytes: Uint8Array, redactText: RedactText): Uint8Array {
  const text = decodeText(bytes)
  const clean = redactText(text)
  return clean === text ? bytes : encodeText(clean)
}

async function contentOf(
  fs: SessionFs,
  dir: string,
  hash: string,
): Promise<Uint8Array | undefined> {
  try {
    const size = await blobSize(fs, dir, hash)
    return size === undefined || size > MOST_BYTES ? undefined : await readBlob(fs, dir, hash)
  } catch (cause) {
    // Doctor tells of it; the log goes on to be exported.
    if (cause instanceof BlobDamaged) return undefined
    throw cause
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
