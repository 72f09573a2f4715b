/** A log as items of a JSON list: whatever is in it, they are the events that a reader of the log gets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { answered, logOf, said, started } from '../../test/log-of.ts'
import { jsonItems } from './json-items.ts'
import { readLog } from './read.ts'

const events = logOf([started(), said('größer 東京 \u2028'), answered('Yes.'), said('Bye')]).map(
  ({ event }) => event,
)
const [start = '', question = '', answer = '', bye = ''] = events.map((it) => JSON.stringify(it))
const stranger = JSON.stringify({ ...events[3], type: 'other.program', own: { a: [1.0] } })
const badShape = JSON.stringify({ ...events[1], data: { content: 7 } })

const LOGS: Readonly<Record<string, Buffer>> = {
  'that is sound': Buffer.from([start, question, answer, bye, ''].join('\n')),
  'with line ends of Windows and spaces': Buffer.from(
    [start, ` ${question} `, answer, ''].join('\r\n'),
  ),
  'with blank lines': Buffer.from([start, '', question, '', ''].join('\n')),
  'with a record without its newline': Buffer.from([start, question].join('\n')),
  'with an append that never finished': Buffer.from(
    [start, question, answer.slice(0, 30)].join('\n'),
  ),
  'with two records on a line': Buffer.from([start, `${question}${answer}`, bye, ''].join('\n')),
  'with half a record before another': Buffer.from(
    [start, `${question.slice(0, 30)}${answer}`, ''].join('\n'),
  ),
  'with NULs': Buffer.from([start, `\0\0${question}`, ''].join('\n')),
  'with a byte order mark': Buffer.from([`\uFEFF${start}`, question, ''].join('\n')),
  'with a record twice': Buffer.from([start, question, question, answer, ''].join('\n')),
  'with bytes that are not UTF-8': Buffer.concat([
    Buffer.from(`${start}\n${question.slice(0, 40)}`),
    Buffer.of(0xff),
    Buffer.from(`${question.slice(40)}\n`),
  ]),
  'with what we do not know': Buffer.from([start, stranger, badShape, ''].join('\n')),
  'with nothing that can be read': Buffer.from('damage\n'),
  'of nothing': Buffer.alloc(0),
}

describe('the items of a log', () => {
  for (const [name, bytes] of Object.entries(LOGS)) {
    it(name, async () => {
      const fs = openMemory()
      const file = await fs.openAppend('events.jsonl')
      await file.write([bytes], 0)
      await file.close()
      const read: unknown[] = []
      let items = ''
      for await (const batch of readLog(fs, 'events.jsonl')) {
        for (const { event } of batch.records) {
          const { stranger: _ours, ...plain } = { stranger: true, ...event }
          read.push(plain)
        }
        items += Buffer.from(jsonItems(batch)).toString()
      }
      assert.deepEqual(JSON.parse(`[${items.replace(/,$/, '')}]`), read)
    })
  }

  it('are the bytes of the log where it is sound', async () => {
    const fs = openMemory()
    const file = await fs.openAppend('events.jsonl')
    const lines = [start, question.replace('{', '{ '), answer]
    await file.write([Buffer.from(lines.map((line) => `${line}\n`).join(''))], 0)
    await file.close()
    const items: string[] = []
    for await (const batch of readLog(fs, 'events.jsonl'))
      items.push(Buffer.from(jsonItems(batch)).toString())
    assert.deepEqual(items, [lines.map((line) => `${line},`).join('')])
  })
})
