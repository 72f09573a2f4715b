/** For agents of which no genuine file is here: a record of a known kind that yields nothing is in the report. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCline } from '../../src/importers/cline/read.ts'
import { readCopilotLegacy } from '../../src/importers/copilot/read-legacy.ts'
import { readCursor } from '../../src/importers/cursor/read.ts'
import { readGoose } from '../../src/importers/goose/read.ts'
import { readOpencode } from '../../src/importers/opencode/read.ts'
import type { Part, Reader, Source } from '../../src/importers/convert/port.ts'
import { createTally, sayLosses } from '../../src/importers/convert/fidelity-report.ts'

const partOf = (role: string, values: readonly unknown[]): Part => ({
  role,
  async *records() {
    for (const [offset, value] of values.entries())
      yield { kind: 'record', value, ref: { part: 0, offset, bytes: 1 } }
  },
  read: async ({ offset }) => values[offset],
})

async function lossesOf(reader: Reader, values: readonly unknown[]): Promise<string> {
  const tally = createTally()
  const source: Source = {
    agent: 'goose',
    nativeId: '1',
    parts: [partOf('main', values)],
    hints: { startedAt: '2026-01-01T00:00:00.000Z' },
  }
  for (const { tell } of await reader(source, tally)) for await (const _ of tell(tally));
  return sayLosses(tally.report)
}

const row = (table: string, id: string, data: object, more: object = {}) => ({
  table,
  id,
  data,
  ...more,
})
const bubble = (id: string, type: number, text: object) => ({
  key: `bubbleId:c:${id}`,
  value: { type, ...text },
})
const composer = (...ids: readonly string[]) => ({
  key: 'composerData:c',
  value: { fullConversationHeadersOnly: ids.map((bubbleId) => ({ bubbleId })) },
})

type Case = {
  readonly what: string
  readonly reader: Reader
  readonly sound: readonly unknown[]
  readonly odd: readonly (readonly unknown[])[]
}

const cases: readonly Case[] = [
  {
    what: 'goose',
    reader: readGoose,
    sound: [{ role: 'user', content: [{ type: 'text', text: 'one' }] }],
    odd: [
      [{ role: 'user', content: [{ type: 'text', words: 'one' }] }],
      [{ role: 'user', words: 'one' }],
      [{ role: 'assistant', content: [{ type: 'text', words: 'one' }] }],
    ],
  },
  {
    what: 'cline',
    reader: readCline,
    sound: [[{ role: 'user', content: [{ type: 'text', text: '<task>one</task>' }] }]],
    odd: [
      [[{ role: 'user', content: [{ type: 'text', words: 'one' }] }]],
      [[{ role: 'user', content: [{ type: 'speech', text: 'one' }] }]],
      [[{ role: 'user', words: 'one' }]],
      [[{ role: 'assistant', words: 'one' }]],
    ],
  },
  {
    what: 'opencode',
    reader: readOpencode,
    sound: [
      row('message', 'm', { role: 'user' }),
      row('part', 'p', { type: 'text', text: 'one' }, { message_id: 'm' }),
    ],
    odd: [
      [
        row('message', 'm', { role: 'user' }),
        row('part', 'p', { type: 'text', words: 'one' }, { message_id: 'm' }),
      ],
      [
        row('message', 'm', { role: 'user' }),
        row('part', 'p', { type: 'speech', text: 'one' }, { message_id: 'm' }),
      ],
      [row('message', 'm', { role: 'user' })],
    ],
  },
  {
    what: 'cursor',
    reader: readCursor,
    sound: [composer('b'), bubble('b', 1, { text: 'one' })],
    odd: [
      [composer('b'), bubble('b', 1, { words: 'one' })],
      [composer('b'), bubble('b', 2, { words: 'one' })],
      [composer(), bubble('b', 1, { text: 'one' })],
    ],
  },
  {
    what: 'copilot before 2026',
    reader: readCopilotLegacy,
    sound: [{ chatMessages: [{ role: 'user', content: 'one' }] }],
    odd: [
      [{ chatMessages: { 0: { role: 'user', content: 'one' } } }],
      [{ chatMessages: ['one'] }],
      [{ chatMessages: [{ role: 'user', words: 'one' }] }],
    ],
  },
]

for (const { what, reader, sound, odd } of cases)
  test(`${what}: what is not understood is named in the report`, async () => {
    assert.doesNotMatch(await lossesOf(reader, sound), NAMED)
    for (const values of odd)
      assert.match(await lossesOf(reader, values), NAMED, JSON.stringify(values))
  })

const NAMED = /unknown record|(?:prompts|answers) lost/
