/**
 * Goose, from its description (no file of a genuine one was seen): rows of its database, a session and its messages, or
 * the lines that it wrote before 1.10, of which the first is about the session.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, isFields, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Ref, Source } from '../convert/port.ts'
import { allRecordsOf, countFacts } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { parsedText, plainPictures, shown, textOf, timeOf } from '../convert/values.ts'

export const readGoose: Reader = async (source, tally) => {
  const refs: Ref[] = []
  let about: Fields = {}
  for await (const record of allRecordsOf(source, tally)) {
    const row = fieldsOf(record.value)
    if ('role' in row) refs.push(record.ref)
    else if ('working_dir' in row || 'description' in row || row['table'] === 'sessions')
      about = row
    else {
      tally.unknown(Object.keys(row)[0] ?? 'no fields')
      continue
    }
    tally.understood()
  }
  const facts: Facts = {
    startedAt: timeOf(about['created_at']) ?? source.hints.startedAt,
    ...defined({
      cwd: textIn(about, 'working_dir') ?? source.hints.cwd,
      name: textIn(about, 'name') ?? textIn(about, 'description'),
    }),
  }
  countFacts(facts, tally)
  return [
    {
      facts,
      tell: (counted) => tell(source, refs, createTeller(counted, facts.startedAt), counted),
    },
  ]
}

async function* tell(
  source: Source,
  refs: readonly Ref[],
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  for (const ref of refs) {
    const row = fieldsOf(await source.parts[ref.part]?.read(ref))
    const content = objectsOf(parsedText(row['content_json'] ?? row['content']))
    const moment = {
      at: timeOf(row['created_timestamp'] ?? row['created']),
      key: `${ref.part}:${ref.offset}`,
    }
    const of = (type: string) => content.filter((part) => part['type'] === type)
    for (const part of content)
      if (!PARTS.has(textIn(part, 'type') ?? ''))
        tally.unknown(`content ${textIn(part, 'type') ?? ''}`)
    if (row['role'] === 'assistant') {
      const thinking = of('thinking')
        .map((part) => textIn(part, 'thinking') ?? '')
        .join('\n')
      yield* teller.answer({
        ...moment,
        id: moment.key,
        text: textOf(of('text')),
        calls: of('toolRequest').map((part) => {
          const call = fieldsOf(fieldsOf(part['toolCall'])['value'])
          return {
            id: textIn(part, 'id') ?? '',
            name: textIn(call, 'name') ?? '',
            args: call['arguments'],
          }
        }),
        ...(thinking !== '' && { thinking }),
      })
      continue
    }
    for (const part of of('toolResponse')) {
      const result = fieldsOf(part['toolResult'])
      const value = isFields(result['value']) ? result['value']['content'] : result['value']
      yield* teller.result({
        ...moment,
        id: textIn(part, 'id') ?? '',
        isError: result['status'] === 'error',
        text: result['status'] === 'error' ? shown(result['error']) : textOf(value),
        images: plainPictures(objectsOf(value)),
      })
    }
    const text = textOf(of('text'))
    const images = plainPictures(content)
    if (text !== '' || images.length > 0) yield* teller.prompt({ ...moment, text, images })
    else if (of('toolResponse').length === 0) teller.notUnderstood('prompts')
  }
}

const PARTS = new Set([
  'text',
  'image',
  'toolRequest',
  'toolResponse',
  'thinking',
  'redactedThinking',
])
