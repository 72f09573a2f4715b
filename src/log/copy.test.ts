import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { copyLog, type CopyOptions } from './copy.ts'
import { DIR, LOG, lineOf, startLine, writeLog } from '../../test/support/sample-log.ts'

const COPY = `${DIR}-copy/events.jsonl`

async function copied(content: string, options: CopyOptions = {}): Promise<string> {
  const fs = openMemory()
  await writeLog(fs, content)
  await fs.writeAtomic(COPY, Buffer.from('something longer that was there before'), {
    durable: true,
  })
  const size = await copyLog(fs, LOG, COPY, options)
  const text = Buffer.from((await fs.crash().read(COPY))!).toString()
  assert.equal(Buffer.byteLength(text), size)
  return text
}

const content = `\uFEFF${startLine()}\r\n\n${lineOf(2, { type: 'vendor.x', odd: 1.0 })}\nnoise\0\n${lineOf(3)}`

test('copies every byte, whatever it is, durably', async () => {
  assert.equal(await copied(content), content)
  assert.equal(
    await copied(content, { end: 100 }),
    Buffer.from(content).subarray(0, 100).toString(),
  )
})

test('hands over only lines that contain the text, and copies all others byte for byte', async () => {
  const handed: string[] = []
  const text = await copied(content, {
    onlyLinesContaining: 'vendor.x',
    rewriteLine: (line) => {
      handed.push(Buffer.from(line).toString())
      return Buffer.from('rewritten')
    },
  })
  assert.deepEqual(handed, [lineOf(2, { type: 'vendor.x', odd: 1 })])
  assert.equal(text, content.replace(handed[0]!, 'rewritten'))
})

test('leaves a line as it is when nothing is given for it', async () => {
  assert.equal(await copied(content, { rewriteLine: () => undefined }), content)
})

test('rewrites first, last and neighbouring lines, also without a last newline', async () => {
  const text = await copied('a\nb\na\na\nc\na', {
    onlyLinesContaining: 'a',
    rewriteLine: () => Buffer.from('long'),
  })
  assert.equal(text, 'long\nb\nlong\nlong\nc\nlong')
})

test('rewrites lines across the seams of large logs', async () => {
  const lines = Array.from(
    { length: 9000 },
    (_, index) => `${index} ${'x'.repeat(300)} ${index % 7 === 0 ? 'hit' : ''}`,
  )
  const text = await copied(`${lines.join('\n')}\n`, {
    onlyLinesContaining: 'hit',
    rewriteLine: (line) => Buffer.from(Buffer.from(line).toString().replace('hit', 'HIT!')),
  })
  assert.equal(text, `${lines.join('\n')}\n`.replaceAll('hit', 'HIT!'))
})

test('a log that does not exist copies nothing', async () => {
  const fs = openMemory()
  assert.equal(await copyLog(fs, LOG, COPY), 0)
  assert.equal(await fs.stat(COPY), undefined)
})
