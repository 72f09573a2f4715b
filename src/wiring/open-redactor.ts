/** The redactor of a home: one key for an install, so that a secret has the same placeholder wherever it stood. */
import { readForgotten, redactionKey } from '../engine/forget/record.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { knownFromEnv } from '../lib/redact/known.ts'
import { createRedactor, type Redactor } from '../lib/redact/redact.ts'

export async function openRedactor(fs: SessionFs): Promise<Redactor> {
  const forgotten = (await readForgotten(fs)).flatMap(({ forms }) => forms)
  const key = await redactionKey(fs)
  return createRedactor({ known: knownFromEnv(process.env), forgotten, key })
}

export const redactorOf = (home: string): Promise<Redactor> => openRedactor(openDisk(home))
