/** Who wrote lines, asked of a session that was imported: by the diffs that came along, newest first. */
import type { EventId } from '../../format/ids.ts'
import { writtenBy } from '../../project/blame-diff.ts'
import type { EngineContext } from '../engine-context.ts'
import type { SessionSummary } from '../catalogue/catalogue-row.ts'
import { sessionDir } from '../session-dir.ts'
import { toldChanges } from './reported-changes.ts'

type Wrote = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly toolCallId: string
}

type Lines = {
  readonly file: string
  readonly lines: readonly string[]
  /** Those that are asked for, counted from 0. */
  readonly open: ReadonlyMap<number, unknown>
}

export async function blameImported(
  { fs, cwd }: EngineContext,
  session: SessionSummary,
  { file, lines, open }: Lines,
): Promise<ReadonlyMap<number, Wrote>> {
  const edits: (Wrote & { readonly diff: string })[] = []
  const where = { fs, dir: sessionDir(session.id), cwd: session.cwd ?? cwd }
  for await (const { file: changed, diff, eventId, prompt, at, toolCallId } of toldChanges(where))
    if (changed === file) edits.push({ eventId, prompt, at, toolCallId, diff })
  const found = new Map<number, Wrote>()
  for (const { diff, ...wrote } of edits.reverse()) {
    const left = [...open.keys()].filter((index) => !found.has(index))
    for (const index of writtenBy(diff, lines, left)) found.set(index, wrote)
  }
  return found
}
