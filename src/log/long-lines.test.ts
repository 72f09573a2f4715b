/** Lines that no program writes and a stranger may plant: they cost a little time and no memory to speak of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import type { ReadFile } from '../fs/session-fs.ts'
import { LOG, readAll, startLine, writeLog } from '../../test/support/sample-log.ts'
import { blocksBackward } from './backward.ts'
import { readBlocks } from './split.ts'

const MEBIBYTE = 1024 * 1024

/** One line of `size` bytes that is on no disk, and the largest piece of it that was held. */
function longLine(size: number) {
  const most = { bytes: 0 }
  const file: ReadFile = {
    size,
    identity: 'long',
    async read(target, position) {
      most.bytes = Math.max(most.bytes, target.buffer.byteLength)
      const got = Math.min(target.length, size - position)
      target.fill(0x78, 0, got)
      if (position + got === size) target[got - 1] = 0x0a
      return got
    },
    close: async () => {},
  }
  return { file, most }
}

test('a line of 600 MB is passed over, forward and backward, with a few MB of it in hand', async () => {
  const size = 600 * MEBIBYTE
  for (const blocks of [
    (file: ReadFile) => readBlocks(file, { from: 0, to: size }),
    (file: ReadFile) => blocksBackward(file, {}),
  ]) {
    const { file, most } = longLine(size)
    const found = []
    for await (const block of blocks(file)) found.push(block)
    assert.deepEqual(found, [{ kind: 'oversized', start: 0, end: size, hasNewline: true }])
    assert.ok(most.bytes <= 8 * MEBIBYTE, `${most.bytes} bytes in one piece`)
  }
})

const event = (type: string, data: string) =>
  `{"type":"${type}","data":${data},"id":"00000000-0000-4000-8000-000000000099","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}`

test('a line of 300,000 keys or 100,000 levels is parsed once', async () => {
  const keys = `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`
  const levels = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const shutdown = (metrics: string) =>
    `{"shutdownType":"routine","totalApiDurationMs":0,"sessionStartTime":0,"codeChanges":{"linesAdded":0,"linesRemoved":0,"filesModified":[]},"modelMetrics":${metrics}}`
  for (const line of [
    event('x.unknown', keys),
    event('session.shutdown', shutdown(keys)),
    event('x.unknown', `{"a":${levels}}`),
  ]) {
    const fs = openMemory()
    await writeLog(fs, `${startLine()}\n${line}\n`)
    assert.ok(((await fs.stat(LOG))?.size ?? 0) > line.length)
    const bare = await fastest(async () => void JSON.parse(line))
    const read = await fastest(() => readAll(fs))
    // Before, it took twenty seconds; how near to one parse it comes is for a bench to say.
    assert.ok(read < 5 * bare + 2000, `${read} ms, and ${bare} ms for one parse`)
  }
})

test('what is nested too deeply to be gone through is cut in what is read, and stays in the log', async () => {
  const call = (args: string) =>
    event(
      'assistant.message',
      `{"messageId":"m","content":"deep","toolRequests":[{"toolCallId":"c","name":"x","arguments":${args}}]}`,
    )
  const line = call(`${'{"a":'.repeat(100_000)}1${',"b":2}'.repeat(100_000)}`)
  const fs = openMemory()
  await writeLog(fs, `${startLine()}\n${line}\n`)
  const { records, findings } = await readAll(fs)
  assert.deepEqual(
    findings.filter(({ kind }) => kind !== 'chain_break'),
    [],
  )
  assert.match(JSON.stringify(records.at(-1)?.event), /"content":"deep".*nested more than 1000/)
  assert.ok(((await fs.stat(LOG))?.size ?? 0) > line.length)
})

test('a long line that is read again soon is the same event, and another one is not', async () => {
  const fs = openMemory()
  const last = async (fill: string) => {
    await writeLog(fs, `${startLine()}\n${event('x.unknown', `{"a":"${fill.repeat(300_000)}"}`)}\n`)
    return (await readAll(fs)).records.at(-1)?.event
  }
  const first = await last('x')
  assert.equal(await last('x'), first)
  assert.notEqual(await last('y'), first)
})

async function fastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}
