/**
 * Cursor, from what others found out about it (no file of a genuine one was seen): rows of its key-value tables. One row
 * is about the conversation and lists its bubbles, each of which is a row; older ones hold the conversation themselves.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { allRecordsOf, countFacts } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { numberIn, parsedText, shown, textOf, timeOf, tokensIn } from '../convert/values.ts'

export const readCursor: Reader = async (source, tally) => {
  const bubbles = new Map<string, Ref>()
  let composer: Fields = {}
  for await (const record of allRecordsOf(source, tally)) {
    const { key, value } = fieldsOf(record.value)
    const [table = '', , bubble] = String(key).split(':')
    if (table === 'composerData') composer = fieldsOf(value)
    else if (table === 'bubbleId' && bubble !== undefined) bubbles.set(bubble, record.ref)
    else {
      tally.unknown(table || 'no key')
      continue
    }
    tally.understood()
  }
  const facts: Facts = {
    startedAt: timeOf(composer['createdAt']) ?? source.hints.startedAt,
    ...defined({ cwd: source.hints.cwd, name: textIn(composer, 'name') }),
  }
  countFacts(facts, tally)
  return [
    {
      facts,
      tell: (counted) =>
        tell(source, composer, bubbles, createTeller(counted, facts.startedAt), counted),
    },
  ]
}

async function* tell(
  source: Source,
  composer: Fields,
  bubbles: ReadonlyMap<string, Ref>,
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  const headers = listIn(composer, 'fullConversationHeadersOnly')
  const inline = listIn(composer, 'conversation')
  const listed = new Set([...headers, ...inline].map((header) => textIn(header, 'bubbleId')))
  for (const id of bubbles.keys())
    if (!listed.has(id)) tally.unknown('bubbleId that the conversation does not list')
  for (const [at, header] of (headers.length > 0 ? headers : inline).entries()) {
    const id = textIn(header, 'bubbleId') ?? String(at)
    const ref = bubbles.get(id)
    const row = ref && fieldsOf(await source.parts[ref.part]?.read(ref))
    const bubble = row === undefined ? header : fieldsOf(row['value'])
    if (ref === undefined && headers.length > 0) {
      tally.count('answers', 'lost')
      tally.note('The conversation lists messages that are not in the database any more.')
      continue
    }
    yield* bubbleOf(bubble, id, teller)
  }
}

function* bubbleOf(bubble: Fields, id: string, teller: Teller): Generator<Dated, void, void> {
  const moment = { at: timeOf(bubble['createdAt']), key: id }
  const text = textIn(bubble, 'text') ?? textOf(bubble['richText'])
  if (numberIn(bubble, 'type') === 1) {
    yield* teller.prompt({ ...moment, text })
    return
  }
  const tool = fieldsOf(bubble['toolFormerData'])
  const name = textIn(tool, 'name')
  const callId = textIn(tool, 'toolCallId') ?? id
  const tokens = fieldsOf(bubble['tokenCount'])
  const thinking = textIn(fieldsOf(bubble['thinking']), 'text')
  const code = listIn(bubble, 'codeBlocks').map(
    (block) => `\`\`\`\n${shown(block['content'])}\n\`\`\``,
  )
  yield* teller.answer({
    ...moment,
    id,
    text: text || code.join('\n'),
    calls:
      name === undefined
        ? []
        : [{ id: callId, name, args: parsedText(tool['rawArgs'] ?? tool['params']) }],
    usage: defined({
      input: tokensIn(tokens, 'inputTokens'),
      output: tokensIn(tokens, 'outputTokens'),
    }),
    ...defined({ thinking }),
  })
  if (name === undefined || tool['result'] === undefined) return
  yield* teller.result({
    ...moment,
    id: callId,
    isError: tool['status'] === 'error' || tool['status'] === 'cancelled',
    text: shown(tool['result']),
  })
}
