/** The redactor of a home: one key for an install, so that a secret has the same placeholder wherever it stood. */
import { randomBytes } from 'node:crypto'
import { inHome } from '../format/paths.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { knownFromEnv } from '../lib/redact/known.ts'
import { createRedactor } from '../lib/redact/redact.ts'
import type { LoadedRedactor, Redactor } from '../lib/redact/redact.ts'

const KEY = inHome('redactionKey')

export async function openRedactor(fs: SessionFs): Promise<Redactor> {
  return createRedactor({ known: knownFromEnv(process.env), key: await keyOf(fs) })
}

export const loadRedactorOf = async (home: string): Promise<LoadedRedactor> =>
  (await openRedactor(openDisk(home))).load()

/** A home that cannot be written has a key for this process: what leaves it is redacted all the same. */
async function keyOf(fs: SessionFs): Promise<Uint8Array> {
  const stored = await fs.read(KEY)
  if (stored !== undefined && stored.length >= 32) return stored
  const fresh = new Uint8Array(randomBytes(32))
  try {
    if (await fs.createExclusive(KEY, fresh)) return fresh
  } catch {
    // Read-only.
    return fresh
  }
  return (await fs.read(KEY)) ?? fresh
}
