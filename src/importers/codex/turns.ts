/** The lines of a rollout, one after the other, as what was said and done. */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import type { Dated } from '../convert/port.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import type { Teller } from '../convert/draft-builder.ts'
import type { CallMade, Picture, Usage } from '../convert/import-drafts.ts'
import { parsedText, pictureOfUrl, shown, textOf, tokensIn } from '../convert/values.ts'
import { outcomeWith, resultOf, type Outcome } from './outcomes.ts'

type Options = {
  readonly hasUsageRecords: boolean
  readonly isBare: boolean
  readonly tally: Tally
}

type Pending = {
  readonly at: string | undefined
  readonly key: string
  text: string[]
  thinking: string[]
  /** The same, as people were shown it: all that there is where the model's own is sealed or not there. */
  shown: string[]
  opaque: string[]
  calls: CallMade[]
}

interface TurnReader {
  take(line: Fields, key: string): Dated[]
  end(): Dated[]
}

const INJECTED =
  /^\s*<(?:environment_context|user_instructions|permissions|skills_instructions|turn_aborted|INSTRUCTIONS)|^# AGENTS\.md/

export function createTurnReader(teller: Teller, options: Options): TurnReader {
  let model: string | undefined
  let pending: Pending | undefined
  /** The last that the model got of a person: it has the pictures. */
  let images: readonly Picture[] = []
  const outcomes = new Map<string, Outcome>()

  function flush(usage?: Usage): Dated[] {
    const answer = pending
    pending = undefined
    if (answer === undefined) return []
    const { at, key, text, opaque, calls } = answer
    const thinking = answer.thinking.length > 0 ? answer.thinking : answer.shown
    return teller.answer({
      at,
      key,
      id: key,
      text: text.join('\n'),
      calls,
      ...defined({
        model,
        usage,
        thinking: thinking.length > 0 ? thinking.join('\n') : undefined,
        opaque: opaque.length > 0 ? opaque.join('\n') : undefined,
      }),
    })
  }

  const answering = (at: string | undefined, key: string): Pending =>
    (pending ??= { at, key, text: [], thinking: [], shown: [], opaque: [], calls: [] })

  function item(payload: Fields, at: string | undefined, key: string): Dated[] {
    const type = textIn(payload, 'type') ?? ''
    const callId = textIn(payload, 'call_id') ?? textIn(payload, 'id') ?? key
    if (type === 'message') return message(payload, at, key)
    if (type === 'reasoning') {
      const answer = answering(at, key)
      const said = [...listIn(payload, 'summary'), ...listIn(payload, 'content')]
      const text = textOf(said)
      if (text !== '') answer.thinking.push(text)
      const sealed = textIn(payload, 'encrypted_content')
      if (sealed !== undefined) answer.opaque.push(sealed)
      return []
    }
    if (type.endsWith('_call_output') || type === 'tool_search_output')
      return [...flush(), ...teller.result({ at, key, ...outputOf(payload, callId) })]
    if (type.endsWith('_call')) {
      const answer = answering(at, key)
      const args = payload['arguments'] ?? payload['input'] ?? payload['action']
      const name = textIn(payload, 'name') ?? type.replace(/_call$/, '')
      answer.calls.push({ id: callId, name, args: parsedText(args) })
      // The vendor ran it: there is no other word of it.
      if (type === 'web_search_call' || type === 'image_generation_call')
        return [
          ...flush(),
          ...teller.result({ at, key, id: callId, text: shown(payload['result']) }),
        ]
      return []
    }
    if (!['compaction', 'ghost_snapshot', 'other'].includes(type))
      options.tally.unknown(`response_item ${type}`)
    return []
  }

  function message(payload: Fields, at: string | undefined, key: string): Dated[] {
    const role = textIn(payload, 'role')
    const content = listIn(payload, 'content')
    const text = textOf(payload['content'])
    if (text === '' && !content.some((part) => 'image_url' in part))
      options.tally.unknown(`response_item message of ${role ?? 'nobody'}`)
    if (role === 'assistant') {
      answering(at, key).text.push(text)
      return []
    }
    if (role !== 'user') return []
    images = content.flatMap((part) => pictureOfUrl(part['image_url']) ?? [])
    if (!options.isBare || INJECTED.test(text)) return []
    return [...flush(), ...teller.prompt({ at, key, text, images: taken() })]
  }

  const taken = (): readonly Picture[] => {
    const own = images
    images = []
    return own
  }

  function event(payload: Fields, at: string | undefined, key: string): Dated[] {
    const type = textIn(payload, 'type') ?? ''
    const told = fieldsOf(payload['item'])
    if (type === 'user_message') return prompt(textIn(payload, 'message') ?? '', at, key)
    if (type === 'item_completed' && told['type'] === 'UserMessage')
      return prompt(textOf(told['content']), at, key)
    if (type === 'item_completed') learn(told, textIn(told, 'id'))
    if (type.endsWith('_end')) learn(payload, textIn(payload, 'call_id'))
    if (type === 'agent_reasoning') answering(at, key).shown.push(textIn(payload, 'text') ?? '')
    if (type === 'turn_aborted') return [...flush(), ...teller.stopped({ at, key })]
    if (type === 'token_count' && !options.hasUsageRecords) {
      const usage = fieldsOf(fieldsOf(payload['info'])['last_token_usage'])
      return pending === undefined ? [] : flush(usageOf(usage))
    }
    if (type === 'error')
      return teller.remark({ at, key, kind: 'error', text: textIn(payload, 'message') ?? '' })
    return []
  }

  /** What the model was told of a call, with what else is known of it. */
  function outputOf(payload: Fields, id: string) {
    const outcome = outcomes.get(id)
    outcomes.delete(id)
    return { id, ...resultOf(payload, outcome) }
  }

  const prompt = (text: string, at: string | undefined, key: string): Dated[] => [
    ...flush(),
    ...teller.prompt({ at, key, text, images: taken() }),
  ]

  const learn = (told: Fields, id: string | undefined) =>
    id !== undefined && outcomes.set(id, outcomeWith(outcomes.get(id), told))

  return {
    take(line, key) {
      const at = textIn(line, 'timestamp')
      const isOldest = !('payload' in line)
      const payload = isOldest ? line : fieldsOf(line['payload'])
      const type = isOldest ? 'response_item' : textIn(line, 'type')
      if (isOldest && textIn(line, 'type') === undefined) return []
      if (type === 'response_item') return item(payload, at, key)
      if (type === 'event_msg') return event(payload, at, key)
      if (type === 'token_usage_record') return flush(usageOf(fieldsOf(payload['usage'])))
      if (type === 'turn_context') model = textIn(payload, 'model') ?? model
      if (type !== 'compacted') return []
      const replaced = listIn(payload, 'replacement_history')
      const summary =
        textIn(payload, 'message') ||
        textOf(replaced.findLast((each) => each['role'] === 'user')?.['content'])
      return [...flush(), ...teller.compaction({ at, key, summary })]
    },
    end: () => flush(),
  }
}

const usageOf = (usage: Fields): Usage =>
  defined({
    input: tokensIn(usage, 'input_tokens'),
    output: tokensIn(usage, 'output_tokens'),
    cacheRead: tokensIn(usage, 'cached_input_tokens'),
    cacheWrite: tokensIn(usage, 'cache_write_input_tokens'),
    reasoning: tokensIn(usage, 'reasoning_output_tokens'),
  })
