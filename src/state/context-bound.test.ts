import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf } from '../../test/log-of.ts'
import type { Draft } from '../format/event.ts'
import { LEFT_OUT, MOST_GIVEN } from './context-bound.ts'
import { createContextFolder } from './context-folder.ts'
import type { ModelContext } from './model-context.ts'
import type { Placed } from './positioned-event.ts'

const LARGE = 'x'.repeat(MOST_GIVEN / 8)

const turn = (number: number): Draft[] => [
  { type: 'user.message', data: { content: `question ${number}` } },
  { type: 'assistant.message', data: { messageId: `m${number}`, content: LARGE } },
]

const log = logOf(Array.from({ length: 20 }, (_, number) => turn(number)).flat())

function given(records: readonly Placed[], base: { isTail?: boolean } = {}) {
  const folder = createContextFolder(base)
  for (const record of records) folder.push(record)
  return folder
}

const questions = ({ messages }: ModelContext) =>
  messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []))

describe('a conversation that is longer than any model takes', () => {
  it('is given from its end, and that the beginning is missing is said', () => {
    const [first = '', ...rest] = questions(given(log).context())
    assert.equal(first, `${LEFT_OUT}\n\nquestion 13`)
    assert.equal(rest.at(-1), 'question 19')
  })

  it('is the same wherever reading began, as long as that is full', () => {
    const whole = given(log).context()
    for (const from of [2, 10, 20, 22]) {
      const folder = given(log.slice(from), { isTail: true })
      assert.ok(folder.isFull(), `from ${from}`)
      assert.deepEqual(folder.context(), whole, `from ${from}`)
    }
    assert.ok(!given(log.slice(30), { isTail: true }).isFull())
  })

  it('loses nothing once it is compacted', () => {
    const compacted: Draft[] = [
      { type: 'session.compaction_start', data: {} },
      { type: 'session.compaction_complete', data: { success: true, summaryContent: 'all of it' } },
      { type: 'user.message', data: { content: 'and now' } },
    ]
    const long = logOf([...Array.from({ length: 20 }, (_, at) => turn(at)).flat(), ...compacted])
    const [only = ''] = questions(given(long).context())
    assert.match(only, /all of it[^]*and now$/)
    assert.ok(!only.includes(LEFT_OUT))
  })

  it('keeps its last message, however long that is', () => {
    const records = logOf([{ type: 'user.message', data: { content: LARGE.repeat(9) } }])
    assert.equal(questions(given(records).context())[0]?.length, LARGE.length * 9)
  })
})
