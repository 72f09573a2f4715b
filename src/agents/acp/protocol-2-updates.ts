/**
 * Updates of version 2 of the protocol as those of version 1: whole messages become what they add to the pieces that
 * came before, pieces of a call's content and of its terminals become the content so far. What has no counterpart
 * passes as it came.
 */
import { isFields, listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

export interface UpdateTranslation {
  (update: Fields): readonly Fields[]
}

/** What is kept of one session while an agent runs. */
export function translateUpdates(): UpdateTranslation {
  const spoken = new Map<string, string>()
  const contents = new Map<string, readonly Fields[]>()
  const terminals = new Map<string, Buffer[]>()
  /** By terminal: the calls whose content it is. */
  const owners = new Map<string, string>()

  return (update) => {
    const kind = textIn(update, 'sessionUpdate') ?? ''
    if (kind.endsWith('_message_chunk') || kind === 'agent_thought_chunk')
      return [chunk(kind, update)]
    if (kind in WHOLE) return whole(kind as keyof typeof WHOLE, update)
    if (kind === 'tool_call_update') return [call(update)]
    if (kind === 'tool_call_content_chunk') return [callContent(update)]
    if (kind === 'terminal_update' || kind === 'terminal_output_chunk') return terminal(update)
    if (kind === 'plan_update') return [plan(update)]
    if (kind === 'config_option_update') return [withOptions(update)]
    return [update]
  }

  function chunk(kind: string, update: Fields): Fields {
    const id = `${kind} ${textIn(update, 'messageId') ?? ''}`
    spoken.set(id, (spoken.get(id) ?? '') + (textIn(fieldsOf(update['content']), 'text') ?? ''))
    return update
  }

  /** What was said cannot be unsaid: a message that is replaced by another one passes as it came. */
  function whole(kind: keyof typeof WHOLE, update: Fields): Fields[] {
    const { content, ...about } = update
    const blocks = Array.isArray(content) ? content.filter(isFields) : []
    if (blocks.length === 0) return []
    const id = `${WHOLE[kind]} ${textIn(update, 'messageId') ?? ''}`
    const before = spoken.get(id) ?? ''
    const text = blocks.map((block) => textIn(block, 'text') ?? '').join('')
    if (!text.startsWith(before)) return [update]
    spoken.set(id, text)
    const piece = { ...about, sessionUpdate: WHOLE[kind] }
    if (before === '') return blocks.map((block) => ({ ...piece, content: block }))
    const rest = text.slice(before.length)
    return rest === '' ? [] : [{ ...piece, content: { type: 'text', text: rest } }]
  }

  function call(update: Fields): Fields {
    const given = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null))
    const id = textIn(update, 'toolCallId') ?? ''
    const status = textIn(update, 'status') ?? ''
    if (Array.isArray(update['content'])) contents.set(id, listIn(update, 'content'))
    return {
      ...given,
      ...(status in STATUS && { status: STATUS[status], statusAsTold: status }),
      ...(contents.has(id) && { content: shown(id) }),
    }
  }

  function callContent(update: Fields): Fields {
    const toolCallId = textIn(update, 'toolCallId') ?? ''
    contents.set(toolCallId, [...(contents.get(toolCallId) ?? []), fieldsOf(update['content'])])
    return { sessionUpdate: 'tool_call_update', toolCallId, content: shown(toolCallId) }
  }

  function terminal(update: Fields): Fields[] {
    const id = textIn(update, 'terminalId') ?? ''
    const added = textIn(update, 'data')
    const replaced = textIn(fieldsOf(update['output']), 'data')
    if (replaced !== undefined) terminals.set(id, [Buffer.from(replaced, 'base64')])
    if (added !== undefined)
      terminals.set(id, [...(terminals.get(id) ?? []), Buffer.from(added, 'base64')])
    const toolCallId = owners.get(id)
    if (toolCallId === undefined) return []
    return [{ sessionUpdate: 'tool_call_update', toolCallId, content: shown(toolCallId) }]
  }

  function shown(toolCallId: string): Fields[] {
    return (contents.get(toolCallId) ?? []).map((each) => {
      if (each['type'] === 'diff') return asText(each, changesText(each))
      if (each['type'] !== 'terminal') return each
      const id = textIn(each, 'terminalId') ?? ''
      owners.set(id, toolCallId)
      return asText(each, Buffer.concat(terminals.get(id) ?? []).toString('utf8'))
    })
  }
}

/** Messages that are told as a whole, and the pieces of the same. */
const WHOLE = {
  user_message: 'user_message_chunk',
  agent_message: 'agent_message_chunk',
  agent_thought: 'agent_thought_chunk',
} as const

const STATUS: Readonly<Record<string, string>> = { cancelled: 'failed', paused: 'in_progress' }

/** With all that it had, so that nothing of it is lost. */
const asText = (given: Fields, text: string): Fields => ({
  ...given,
  type: 'content',
  was: given['type'],
  content: { type: 'text', text },
})

function changesText(diff: Fields): string {
  const patch = textIn(fieldsOf(diff['patch']), 'text')
  if (patch !== undefined) return patch
  return listIn(diff, 'changes')
    .map(({ operation, oldPath, path }) =>
      [operation, oldPath, path].filter((part) => typeof part === 'string').join(' '),
    )
    .join('\n')
}

function plan(update: Fields): Fields {
  const given = fieldsOf(update['plan'])
  return { ...update, sessionUpdate: 'plan', entries: listIn(given, 'entries') }
}

/** Options are known by `configId` there. */
export function withOptions(given: Fields): Fields {
  if (!Array.isArray(given['configOptions'])) return given
  const options = listIn(given, 'configOptions')
  return {
    ...given,
    configOptions: options.map((option) => ({ id: option['configId'], ...option })),
  }
}
