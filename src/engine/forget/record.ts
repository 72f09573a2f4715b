/**
 * What was forgotten, and when, without it: one line when it begins and one when it is done. The hashes in it are keyed
 * by this install, and redaction knows what was forgotten by them when it is said again.
 */
import { createHash, randomBytes } from 'node:crypto'
import { inHome } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import type { Checked } from '../../lib/checksum.ts'
import { formsToKeep, type ForgottenForm } from '../../lib/redact/forgotten.ts'

const PATH = inHome('forgotten')
const KEY = inHome('redactionKey')

export type ForgottenRecord = {
  readonly version: 1
  readonly id: string
  readonly at: string
  readonly state: 'begun' | 'done'
  readonly sessions: number
  readonly files: number
  readonly places: number
  /** Of one that was begun: the sessions whose words may still be in what is made of them. */
  readonly ids?: readonly string[]
  readonly forms: readonly ForgottenForm[]
}

export async function readForgotten(fs: SessionFs): Promise<readonly ForgottenRecord[]> {
  const bytes = await fs.read(PATH)
  if (bytes === undefined) return []
  return decodeText(bytes)
    .split('\n')
    .flatMap((line): ForgottenRecord[] => {
      try {
        const record = JSON.parse(line) as ForgottenRecord
        return record.version === 1 && Array.isArray(record.forms) ? [record] : []
      } catch {
        // A line that cannot be read teaches nothing; the others do.
        return []
      }
    })
}

/** Begun and never done: the process was killed in between. */
export async function unfinishedForgetting(fs: SessionFs): Promise<readonly ForgottenRecord[]> {
  const all = await readForgotten(fs)
  const done = new Set(all.filter(({ state }) => state === 'done').map(({ id }) => id))
  return all.filter(({ id, state }) => state === 'begun' && !done.has(id))
}

/** Those of `unfinished` that were about the same text, as far as can be known without it. */
export async function sameText(
  fs: SessionFs,
  unfinished: readonly ForgottenRecord[],
  values: readonly string[],
): Promise<readonly ForgottenRecord[]> {
  const forms = new Set((await formsOf(fs, values)).map(({ hash }) => hash))
  return unfinished.filter((each) => each.forms.every(({ hash }) => forms.has(hash)))
}

export async function keepRecord(
  fs: SessionFs,
  record: Omit<ForgottenRecord, 'version' | 'forms'>,
  values: readonly string[],
): Promise<void> {
  const forms = await formsOf(fs, values)
  const before = (await fs.read(PATH)) ?? new Uint8Array()
  const line = encodeText(`${JSON.stringify({ version: 1, ...record, forms })}\n`)
  await fs.writeAtomic(PATH, Buffer.concat([before, line]), { durable: true })
}

async function formsOf(
  fs: SessionFs,
  values: readonly string[],
): Promise<readonly ForgottenForm[]> {
  const key = await redactionKey(fs)
  return values.flatMap((value) => formsToKeep(value, key))
}

/** A home that cannot be written has a key for this process: what leaves it is redacted all the same. */
export async function redactionKey(fs: SessionFs): Promise<Uint8Array> {
  const stored = await fs.read(KEY)
  if (stored !== undefined && stored.length >= KEY_BYTES) return stored
  const random = randomBytes(KEY_BYTES)
  // The second half is the hash of the first, so that damage is seen; the key is all of it.
  const fresh = new Uint8Array(Buffer.concat([random, hashOf(random)]))
  try {
    if (await fs.createExclusive(KEY, fresh)) return fresh
  } catch {
    // It cannot be kept here.
    return fresh
  }
  return (await fs.read(KEY)) ?? fresh
}

/** A key of an earlier version has no hash. Undefined where there is no key. */
export async function lookAtRedactionKey(fs: SessionFs): Promise<Checked | undefined> {
  const stored = await fs.read(KEY)
  if (stored === undefined) return undefined
  if (stored.length === KEY_BYTES) return 'absent'
  const hash = Buffer.from(stored.subarray(KEY_BYTES))
  return hash.equals(hashOf(stored.subarray(0, KEY_BYTES))) ? 'right' : 'wrong'
}

const KEY_BYTES = 32
const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
