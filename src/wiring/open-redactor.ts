/** The redactor of a home: one key for an install, so that a secret has the same placeholder wherever it stood. */
import { readForgotten, redactionKey } from '../engine/forget/record.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { knownFromEnv } from '../lib/redact/known.ts'
import { createRedactor } from '../lib/redact/redact.ts'
import type { LoadedRedactor, Redactor } from '../lib/redact/redact.ts'

/** `budgetMs`: how long one text may be looked at; what leaves the machine is looked at to its end. */
export async function openRedactor(
  fs: SessionFs,
  options: { readonly budgetMs?: number } = {},
): Promise<Redactor> {
  const forgotten = (await readForgotten(fs)).flatMap(({ forms }) => forms)
  const key = await redactionKey(fs)
  return createRedactor({ known: knownFromEnv(process.env), forgotten, key, ...options })
}

export const loadRedactorOf = async (home: string): Promise<LoadedRedactor> =>
  (await openRedactor(openDisk(home))).load()
