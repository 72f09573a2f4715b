import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventId } from '../log-of.ts'
import type {
  AssistantMessage,
  ModelMessage,
  ToolMessage,
  UserMessage,
} from '../../src/state/model-context.ts'
import { validateModelContext } from './validate-context.ts'

const user = (content: string): UserMessage => ({ role: 'user', content, eventId: eventId(1) })
const assistant = (content: string, ...calls: string[]): AssistantMessage => ({
  role: 'assistant',
  content,
  ...(calls.length > 0 && { toolCalls: calls.map((id) => ({ id, name: 'n', arguments: {} })) }),
  eventId: eventId(1),
})
const tool = (toolCallId: string): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'n',
  content: 'r',
  isError: false,
  eventId: eventId(1),
})
const problems = (...messages: ModelMessage[]) =>
  validateModelContext({ system: undefined, messages })

describe('the check of a model context', () => {
  it('lets a good one through', () => {
    const good = [
      user('a'),
      assistant('', 'x', 'y'),
      tool('y'),
      tool('x'),
      user('b \\ud83d'),
      assistant('c'),
    ]
    assert.deepEqual(problems(...good), [])
    assert.deepEqual(problems(), [])
  })

  const bad: [string, ModelMessage[], RegExp][] = [
    ['an assistant that speaks first', [assistant('a')], /first message/],
    ['two user messages', [user('a'), user('b')], /two user/],
    ['two assistant messages', [user('a'), assistant('b'), assistant('c')], /two assistant/],
    ['a call without a result', [user('a'), assistant('', 'x')], /call x has 0/],
    [
      'a call with two results',
      [user('a'), assistant('', 'x'), tool('x'), tool('x')],
      /call x has 2/,
    ],
    [
      'a result that comes too late',
      [user('a'), assistant('', 'x'), user('b'), tool('x')],
      /call x has 0/,
    ],
    ['a result without a call', [user('a'), tool('x')], /no call/],
    [
      'one id for two calls',
      [user('a'), assistant('', 'x'), tool('x'), assistant('', 'x'), tool('x')],
      /twice/,
    ],
    ['an empty message', [user(' ')], /empty/],
    ['half a character', [user('a\ud83d')], /half/],
    [
      'half a character in arguments',
      [user('a'), { ...assistant('b', 'x\ude00') }, tool('x\ude00')],
      /half/,
    ],
  ]
  for (const [what, messages, expected] of bad) {
    it(`finds ${what}`, () => assert.match(problems(...messages).join('\n'), expected))
  }
})
