/** By which policies secrets were taken out of a stream, those of what it inherits first. */
import type { Query } from '../database/port.ts'
import type { Stream } from './append-decision.ts'
import { ancestorsOf } from './lineage.ts'

type Redaction = { readonly from: number; readonly policy: string }

export async function policiesOf(query: Query, stream: Stream): Promise<readonly Redaction[]> {
  const found: Redaction[] = []
  for (const [id, last] of [...ancestorsOf(stream), [stream.id, Infinity] as const]) {
    const rows = await query
      .selectFrom('redactions')
      .select(['seq', 'policy'])
      .where('tenant', '=', stream.tenant)
      .where('stream', '=', id)
      .orderBy('seq')
      .execute()
    for (const { seq, policy } of rows)
      if (seq <= last && policy !== found.at(-1)?.policy) found.push({ from: seq, policy })
  }
  return found
}
