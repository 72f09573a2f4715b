/**
 * A restore that is under way is written down before it begins, so that a process that ends in the middle leaves
 * the next one what it needs to take every step back, or to clear up after the last.
 */
import { rmSync } from 'node:fs'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { errorText } from '../lib/error-text.ts'
import type { Contents } from './contents.ts'
import { isObject, type Journal } from './journal.ts'
import { inSession } from '../format/paths.ts'
import { isStep, undoStep, type Step } from './restore-steps.ts'
import { STAGING } from './scan.ts'
import { at } from './beneath-root.ts'

export type Restoring = {
  readonly fs: SessionFs
  readonly dir: string
  readonly root: string
  readonly maxFileBytes: number
  readonly clock: () => Date
  readonly contents: Contents
  readonly journal: Journal
  /** Called before each change of the project; what it throws is a failure there. */
  readonly beforeStep?: (step: string) => void
}

/** Finishes or takes back a restore that a process could not end. Tells what is left of it. */
export async function recoverRestore(restoring: Restoring): Promise<readonly string[]> {
  const intent = await readIntent(restoring)
  if (intent === undefined) return []
  const isRecorded = restoring.journal.entries.some(
    (entry) => entry.kind === 'restore' && entry.id === intent.id,
  )
  const staging = STAGING + intent.id
  const left = isRecorded ? [] : undoAll(restoring.root, staging, intent.steps)
  if (left.length === 0) await clear(restoring, staging)
  return left
}

/** What could not be taken back, in words. */
export function undoAll(root: string, staging: string, steps: readonly Step[]): string[] {
  const left: string[] = []
  for (const step of steps.toReversed()) {
    try {
      undoStep(root, staging, step)
    } catch (error) {
      left.push(`${step.path}: ${errorText(error)}`)
    }
  }
  return left
}

export async function clear({ fs, dir, root }: Restoring, staging: string): Promise<void> {
  at(root, staging, (place) => rmSync(place, { recursive: true, force: true }))
  await fs.remove(inSession(dir, 'restoreIntent'))
}

type Intent = { readonly id: string; readonly steps: readonly Step[] }

export async function writeIntent({ fs, dir }: Restoring, intent: Intent): Promise<void> {
  const text = JSON.stringify({ version: 1, ...intent })
  await fs.writeAtomic(inSession(dir, 'restoreIntent'), encodeText(text), { durable: true })
}

async function readIntent({ fs, dir }: Restoring): Promise<Intent | undefined> {
  const bytes = await fs.read(inSession(dir, 'restoreIntent'))
  if (bytes === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(decodeText(bytes))
  } catch {
    // It is written in one step, so this is none of ours, and nothing was begun under it.
    return undefined
  }
  if (!isObject(value) || !Array.isArray(value['steps'])) return undefined
  const { id, steps } = value
  const isWhole = typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) && steps.every(isStep)
  return isWhole ? { id, steps } : undefined
}
