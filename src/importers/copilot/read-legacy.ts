/**
 * The Copilot CLI before it had folders of sessions: one object a session, with the messages as OpenAI's API has them.
 * Made from its description; times and directory are not in it. Sessions of later versions are in our own format, and
 * are copied byte for byte.
 */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated, Facts, Reader } from '../convert/port.ts'
import { allRecordsOf } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'
import type { CallMade } from '../convert/import-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import { parsedText, textOf } from '../convert/values.ts'

export const readCopilotLegacy: Reader = async (source, tally) => {
  let whole: Fields = {}
  for await (const record of allRecordsOf(source, tally)) whole = fieldsOf(record.value)
  const messages = listIn(whole, 'chatMessages')
  const told = whole['chatMessages']
  if (!Array.isArray(told)) tally.unknown(Object.keys(whole)[0] ?? 'no fields')
  else if (told.length > messages.length) tally.unknown('a message that is no object')
  else tally.understood()
  const facts: Facts = {
    startedAt: textIn(whole, 'startTime') ?? source.hints.startedAt,
    ...defined({ cwd: source.hints.cwd }),
  }
  tally.count('directory', 'lost')
  return [
    { facts, tell: (counted) => tell(messages, createTeller(counted, facts.startedAt), counted) },
  ]
}

async function* tell(
  messages: readonly Fields[],
  teller: Teller,
  tally: Tally,
): AsyncGenerator<Dated, void, void> {
  /** A result without an id is that of the first call that has none yet. */
  const waiting: string[] = []
  for (const [at, message] of messages.entries()) {
    const moment = { at: textIn(message, 'timestamp'), key: String(at) }
    const text = textOf(message['content'])
    const role = textIn(message, 'role')
    if (role === 'user') {
      waiting.length = 0
      yield* teller.prompt({ ...moment, text })
    } else if (role === 'assistant') {
      const calls = listIn(message, 'tool_calls').map((call, index) =>
        callOf(call, `${at}-${index}`),
      )
      waiting.push(...calls.map(({ id }) => id))
      yield* teller.answer({ ...moment, id: String(at), text, calls })
    } else if (role === 'tool') {
      const id = textIn(message, 'tool_call_id') ?? waiting[0] ?? ''
      waiting.splice(Math.max(0, waiting.indexOf(id)), 1)
      yield* teller.result({ ...moment, id, text })
    } else if (role !== 'system') tally.unknown(`message of ${role ?? 'nobody'}`)
  }
}

function callOf(call: Fields, fallback: string): CallMade {
  const named = fieldsOf(call['function'])
  return {
    id: textIn(call, 'id') ?? fallback,
    name: textIn(named, 'name') ?? '',
    args: parsedText(named['arguments']),
  }
}
