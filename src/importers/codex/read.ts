/**
 * Codex (seen: 0.137 legacy, 0.166 and 0.169 paginated). Every message is there twice: for the model (`response_item`)
 * and for people (`event_msg`). Prompts are taken from what people see, tools from what the model sees; a rollback is
 * only a mark, and what it took back is a story of its own.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { allRecordsOf, gatheredFacts, storiesOf } from '../convert/reading.ts'
import { createTeller } from '../convert/draft-builder.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { numberIn } from '../convert/values.ts'
import { createTurnReader } from './turns.ts'

type Index = {
  refs: Ref[]
  /** Where turns begin among them. */
  starts: number[]
  left: Ref[][]
  facts: Partial<Facts>
  hasUsageRecords: boolean
  /** Prompts stand only among what the model got: the oldest form. */
  isBare: boolean
}

const TYPES = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'token_usage_record',
  'world_state',
  'compacted',
  'inter_agent_communication',
])

export const readCodex: Reader = async (source, tally) => {
  const index: Index = {
    refs: [],
    starts: [],
    left: [],
    facts: {},
    hasUsageRecords: false,
    isBare: true,
  }
  for await (const record of allRecordsOf(source, tally)) {
    lookAt(index, fieldsOf(record.value), record.ref, tally)
  }
  const facts = gatheredFacts(source, index.facts, tally)
  const left = index.left.map((told, at) => ({ branch: `rollback ${at + 1}`, told }))
  return storiesOf({ main: index.refs, left }, facts, tally, (refs, counted) =>
    tell(source, index, refs, counted, facts.startedAt),
  )
}

function lookAt(index: Index, line: Fields, ref: Ref, tally: Tally): void {
  const payload = fieldsOf(line['payload'])
  const type = textIn(line, 'type') ?? ''
  const isOldest = !('payload' in line)
  if (!isOldest && !TYPES.has(type)) return tally.unknown(type || 'no type')
  if (
    isOldest &&
    type === '' &&
    textIn(line, 'id') === undefined &&
    line['record_type'] === undefined
  )
    return tally.unknown('no type')
  tally.understood()
  index.facts = { ...factsOf(isOldest ? line : payload, type, isOldest), ...index.facts }
  if (type === 'token_usage_record') index.hasUsageRecords = true
  const event = type === 'event_msg' ? textIn(payload, 'type') : undefined
  if (event === 'thread_rolled_back') {
    const turns = numberIn(payload, 'num_turns') ?? 1
    const start = index.starts[index.starts.length - turns] ?? 0
    index.left.push([...index.refs])
    index.refs.length = start
    index.starts.length = Math.max(0, index.starts.length - turns)
    return
  }
  if (isPrompt(payload, event)) {
    index.isBare = false
    index.starts.push(Math.max(0, index.refs.length - 1))
  }
  index.refs.push(ref)
}

const isPrompt = (payload: Fields, event: string | undefined): boolean =>
  event === 'user_message' ||
  (event === 'item_completed' && fieldsOf(payload['item'])['type'] === 'UserMessage')

/** The first that says it. */
function factsOf(payload: Fields, type: string, isOldest: boolean): Partial<Facts> {
  if (type === 'turn_context') return defined({ model: textIn(payload, 'model') })
  if (type !== 'session_meta' && !(isOldest && type === '')) return {}
  const git = fieldsOf(payload['git'])
  return defined({
    cwd: textIn(payload, 'cwd'),
    version: textIn(payload, 'cli_version'),
    branch: textIn(git, 'branch'),
    commit: textIn(git, 'commit_hash'),
    repositoryUrl: textIn(git, 'repository_url'),
    startedAt: textIn(payload, 'timestamp'),
    parentNativeId: textIn(payload, 'forked_from_id') ?? textIn(payload, 'parent_thread_id'),
    name: listIn(payload, 'name').length > 0 ? undefined : textIn(payload, 'agent_nickname'),
  })
}

async function* tell(
  source: Source,
  { hasUsageRecords, isBare }: Index,
  refs: readonly Ref[],
  tally: Tally,
  startedAt: string,
): AsyncGenerator<Dated, void, void> {
  const turns = createTurnReader(createTeller(tally, startedAt), { hasUsageRecords, isBare, tally })
  for (const ref of refs) {
    const line = fieldsOf(await source.parts[ref.part]?.read(ref))
    yield* turns.take(line, `${ref.part}:${ref.offset}`)
  }
  yield* turns.end()
}
