/** The session's plan.md: read, written and deleted, each saying what became of it. */
import { layout } from '../format/layout.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'

export const PLAN = layout.session.plan.path

export async function readPlan(fs: SessionFs, dir: string): Promise<string | undefined> {
  const bytes = await fs.read(`${dir}/${PLAN}`)
  return bytes === undefined ? undefined : decodeText(bytes)
}

/** Undefined when the plan already says this. */
export async function writePlan(
  fs: SessionFs,
  dir: string,
  text: string,
): Promise<'create' | 'update' | undefined> {
  const before = await readPlan(fs, dir)
  if (before === text) return undefined
  await fs.writeAtomic(`${dir}/${PLAN}`, encodeText(text), { durable: true })
  return before === undefined ? 'create' : 'update'
}

/** Undefined when there was no plan. */
export async function deletePlan(fs: SessionFs, dir: string): Promise<'delete' | undefined> {
  if ((await fs.stat(`${dir}/${PLAN}`)) === undefined) return undefined
  await fs.remove(`${dir}/${PLAN}`)
  return 'delete'
}
