/**
 * Cline and Roo, from their description (no file of a genuine one was seen): the messages as Anthropic's API has them, in
 * one list, and beside them the list of what was shown, which has the times. Prompts are wrapped in tags.
 */
import { defined } from '../../lib/defined.ts'
import { enclosed, withoutEnclosed } from '../../lib/balanced-tags.ts'
import { fieldsOf, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader, Source } from '../convert/port.ts'
import { countFacts, recordsOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { Usage } from '../convert/import-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import {
  anthropicPictures,
  numberIn,
  parsedText,
  textOf,
  timeOf,
  tokensIn,
} from '../convert/values.ts'

export const readCline: Reader = async (source, tally) => {
  const messages = await listOf(source, 'main', tally)
  const shown = await listOf(source, 'ui', tally)
  const first = timeOf(shown[0]?.['ts']) ?? timeOf(Number(source.nativeId))
  const cwd = messages
    .slice(0, 3)
    .map(
      (message) =>
        /# Current (?:Working|Workspace) Directory \(([^)\n]{1,4096})\)/.exec(
          textOf(message['content']),
        )?.[1],
    )
    .find((found) => found !== undefined)
  const facts: Facts = {
    startedAt: first ?? source.hints.startedAt,
    ...defined({ cwd: cwd ?? source.hints.cwd }),
  }
  countFacts(facts, tally)
  return [
    {
      facts,
      tell: (counted) => tell(messages, shown, createTeller(counted, facts.startedAt), counted),
    },
  ]
}

async function listOf(source: Source, role: string, tally: Tally): Promise<readonly Fields[]> {
  const part = source.parts.find((each) => each.role === role)
  if (part === undefined) return []
  for await (const record of recordsOf(part, tally)) {
    if (!Array.isArray(record.value)) tally.unknown(role)
    else {
      tally.understood()
      return objectsOf(record.value)
    }
  }
  return []
}

async function* tell(
  messages: readonly Fields[],
  shown: readonly Fields[],
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  const requests = shown.filter((each) => each['say'] === 'api_req_started')
  let answers = 0
  for (const [at, message] of messages.entries()) {
    const key = String(at)
    const request =
      requests[message['role'] === 'assistant' ? answers : Math.min(answers, requests.length - 1)]
    const moment = { at: timeOf(message['ts']) ?? timeOf(request?.['ts']), key }
    const parts = objectsOf(message['content'])
    for (const part of parts)
      if (!PARTS.has(textIn(part, 'type') ?? ''))
        tally.unknown(`part ${textIn(part, 'type') ?? ''}`)
    if (message['role'] === 'assistant') {
      answers += 1
      yield* teller.answer({
        ...moment,
        id: key,
        text: textOf(message['content']),
        calls: parts.flatMap((part) =>
          part['type'] === 'tool_use'
            ? [
                {
                  id: textIn(part, 'id') ?? '',
                  name: textIn(part, 'name') ?? '',
                  args: part['input'],
                },
              ]
            : [],
        ),
        usage: usageOf(fieldsOf(parsedText(request?.['text']))),
      })
      continue
    }
    for (const result of parts.filter((part) => part['type'] === 'tool_result'))
      yield* teller.result({
        ...moment,
        id: textIn(result, 'tool_use_id') ?? '',
        isError: result['is_error'] === true,
        text: textOf(result['content']),
        images: anthropicPictures(result['content']),
      })
    const text = textOf(
      parts.length > 0 ? parts.filter((part) => part['type'] === 'text') : message['content'],
    )
    const said = promptIn(text)
    const images = anthropicPictures(parts)
    if (said !== undefined || images.length > 0)
      yield* teller.prompt({ ...moment, text: said ?? '', images, given: text })
    else if (text === '' && !parts.some((part) => part['type'] === 'tool_result'))
      teller.notUnderstood('prompts')
  }
}

const PARTS = new Set(['text', 'image', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'])

/** What a person wrote; the rest is what the program says around it. */
function promptIn(text: string): string | undefined {
  const [wrapped] = enclosed(
    text,
    /<(task|feedback|user_message|answer)>/,
    ([, tag]) => `</${tag}>`,
  )
  if (wrapped !== undefined) return wrapped.inner.trim()
  const around = enclosed(text, /<environment_details>/, () => '</environment_details>')
  const plain = withoutEnclosed(text, around).trim()
  return plain === '' || plain.startsWith('[') ? undefined : plain
}

const usageOf = (told: Fields): Usage => {
  const cacheRead = tokensIn(told, 'cacheReads') ?? 0
  const cacheWrite = tokensIn(told, 'cacheWrites') ?? 0
  return {
    cacheRead,
    cacheWrite,
    input: (tokensIn(told, 'tokensIn') ?? 0) + cacheRead + cacheWrite,
    ...defined({ output: tokensIn(told, 'tokensOut'), dollars: numberIn(told, 'cost') }),
  }
}
