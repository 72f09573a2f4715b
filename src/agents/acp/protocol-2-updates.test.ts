import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translateUpdates, withOptions } from './protocol-2-updates.ts'
import type { Fields } from '../../lib/fields.ts'

const text = (words: string): Fields => ({ type: 'text', text: words })

/** The texts of what comes out, with its kind. */
function told(...updates: readonly Fields[]): string[] {
  const translate = translateUpdates()
  return updates.flatMap(translate).map((update) => {
    const content = update['content'] as Fields | Fields[] | undefined
    const blocks = [content ?? []].flat().map((block) => (block['content'] as Fields) ?? block)
    return `${String(update['sessionUpdate'])}: ${blocks.map((block) => block['text']).join('|')}`
  })
}

const chunk = (messageId: string, words: string): Fields => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: text(words),
})
const whole = (messageId: string, ...words: readonly string[]): Fields => ({
  sessionUpdate: 'agent_message',
  messageId,
  content: words.map(text),
})

test('a whole message adds what its pieces did not say', () => {
  assert.deepEqual(told(chunk('a', 'one '), whole('a', 'one ', 'two'), whole('a', 'one two')), [
    'agent_message_chunk: one ',
    'agent_message_chunk: two',
  ])
  assert.deepEqual(told(whole('a', 'x'), whole('b', 'y')), [
    'agent_message_chunk: x',
    'agent_message_chunk: y',
  ])
})

test('a message that takes back what was said passes as it came', () => {
  assert.deepEqual(told(chunk('a', 'one'), whole('a', 'two')), [
    'agent_message_chunk: one',
    'agent_message: two',
  ])
})

test('the content of a call grows by its pieces and by the output of its terminals', () => {
  const base64 = (words: string) => Buffer.from(words).toString('base64')
  const about = { toolCallId: 'c' }
  assert.deepEqual(
    told(
      {
        sessionUpdate: 'tool_call_update',
        ...about,
        content: [{ type: 'terminal', terminalId: 't' }],
      },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64('a') },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64('b') },
      { sessionUpdate: 'terminal_update', terminalId: 't', output: { data: base64('c') } },
      {
        sessionUpdate: 'tool_call_content_chunk',
        ...about,
        content: { type: 'content', content: text('done') },
      },
    ),
    ['', 'a', 'ab', 'c', 'c|done'].map((words) => `tool_call_update: ${words}`),
  )
})

test('words that version 1 does not have are told in those that it has', () => {
  const translate = translateUpdates()
  assert.deepEqual(
    translate({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      status: 'cancelled',
      title: null,
    }),
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        status: 'failed',
        statusAsTold: 'cancelled',
      },
    ],
  )
  const plan = { type: 'items', planId: 'p', entries: [{ content: 'x' }] }
  assert.deepEqual(translate({ sessionUpdate: 'plan_update', plan }), [
    { sessionUpdate: 'plan', plan, entries: [{ content: 'x' }] },
  ])
  assert.deepEqual(withOptions({ configOptions: [{ configId: 'm', name: 'Model' }] }), {
    configOptions: [{ id: 'm', configId: 'm', name: 'Model' }],
  })
  const odd = { sessionUpdate: 'from_the_future', more: 1 }
  assert.deepEqual(translate(odd), [odd])
})
