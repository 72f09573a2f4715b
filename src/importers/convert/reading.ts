/** What every reader does alike: it goes through the records, counts what is known of the session, and tells its stories. */
import { defined } from '../../lib/defined.ts'
import type { Dated, Facts, ForeignRecord, Part, Source, Story } from './port.ts'
import type { Tally } from './fidelity-report.ts'

type Readable = Extract<ForeignRecord, { kind: 'record' }>

/** The records of a part that can be read. One that cannot is counted as damage, and those behind it are read on. */
export async function* recordsOf(part: Part, tally: Tally): AsyncGenerator<Readable, void, void> {
  for await (const record of part.records())
    if (record.kind === 'record') yield record
    else tally.damaged(part.role, record.ref.offset, record.why)
}

export async function* allRecordsOf(
  { parts }: Source,
  tally: Tally,
): AsyncGenerator<Readable, void, void> {
  for (const part of parts) yield* recordsOf(part, tally)
}

/** What the source says of itself goes before what its place tells. */
export function gatheredFacts({ hints }: Source, found: Partial<Facts>, tally: Tally): Facts {
  const facts = { startedAt: hints.startedAt, ...defined({ cwd: hints.cwd }), ...found }
  countFacts(facts, tally)
  return facts
}

export function countFacts({ cwd, branch, parentNativeId }: Facts, tally: Tally): void {
  tally.count('directory', cwd === undefined ? 'lost' : 'kept')
  if (branch !== undefined) tally.count('branch')
  if (parentNativeId !== undefined) tally.count('parents')
}

/** Which part of a source is told: in the conversation as it stands, and in each that a rewind left beside it. */
export type Branches<Told> = {
  readonly main: Told
  readonly left: readonly { readonly branch: string; readonly told: Told }[]
}

export function storiesOf<Told>(
  { main, left }: Branches<Told>,
  facts: Facts,
  tally: Tally,
  tell: (told: Told, tally: Tally) => AsyncGenerator<Dated, void, void>,
): readonly Story[] {
  tally.count('rewinds', 'kept', left.length)
  const story = (told: Told): Story => ({ facts, tell: (counted) => tell(told, counted) })
  return [story(main), ...left.map(({ branch, told }) => ({ branch, ...story(told) }))]
}
