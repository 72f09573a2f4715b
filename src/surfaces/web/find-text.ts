/** Looks for a text in a whole transcript, from its beginning: every entry that has it, up to a number. */
import type { Session } from '../../engine/session.ts'
import { defined } from '../../lib/defined.ts'
import { findIn } from '../../state/find-in.ts'
import type { FindAnswer } from './api.ts'

export async function findText(
  session: Session,
  { q, limit }: { readonly q: string; readonly limit: number },
): Promise<FindAnswer> {
  const hits: FindAnswer['hits'][number][] = []
  for await (const entry of session.transcript()) {
    const snippet = findIn(entry, q)
    if (snippet === undefined) continue
    if (hits.length === limit) return { hits, more: true }
    const toolCallId = entry.kind === 'tool' ? entry.toolCallId : undefined
    hits.push({ eventId: entry.eventId, kind: entry.kind, ...defined({ toolCallId }), snippet })
  }
  return { hits, more: false }
}
