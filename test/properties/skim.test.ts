/** What is folded from a log that was skimmed is what is folded from one that was read, whatever state it is in. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import type { Draft } from '../../src/format/event.ts'
import { openMemory } from '../../src/fs/memory.ts'
import { readLog } from '../../src/log/read.ts'
import type { Finding } from '../../src/log/record.ts'
import type { Skim } from '../../src/log/fast-parse.ts'
import { createFolder } from '../../src/state/fold.ts'
import type { Placed } from '../../src/state/positioned-event.ts'
import { wordyEvents } from '../../src/state/wordy-events.ts'
import { anyHistories, histories } from '../histories.ts'
import { answered, gave, logOf, started } from '../log-of.ts'

const golden = join(dirname(fileURLToPath(import.meta.url)), '..', 'golden', 'v1')

describe('skimming', () => {
  it('folds every golden log to the same state', async () => {
    const logs = globSync('*/events.jsonl', { cwd: golden })
    assert.ok(logs.length > 5)
    for (const log of logs) {
      const lines = readFileSync(join(golden, log), 'utf8').split('\n').slice(0, -1)
      await same(inBytes(lines))
      await same(inBytes(lines.map(wordy)))
    }
  })

  it('folds any history to the same state', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(histories, anyHistories), fields, (history, field) =>
        same(inBytes(linesOf(history).map(wordy).map(foreign(field)))),
      ),
      { numRuns: 300 },
    ))

  it('folds any damaged history to the same state, and finds the same damage', () =>
    fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(damages, { minLength: 1, maxLength: 4 }),
        (history, all) => same(all.reduce(damaged, inBytes(linesOf(history).map(wordy)))),
      ),
      { numRuns: 200 },
    ))

  it('reads every text that the state keeps of a message', async () => {
    const toolRequests = [{ toolCallId: 'call', name: 'bash' }]
    const message = { messageId: 'm', content: 'x'.repeat(600), outputTokens: 7 }
    for (const fields of [{ model: 'größer' }, { parentToolCallId: 'père', toolRequests }]) {
      const draft: Draft = { type: 'assistant.message', data: { ...message, ...fields } }
      await same(inBytes(linesOf(logOf([started(), draft]))))
    }
  })

  it('leaves the long texts of answers and results undecoded', async () => {
    const lines = linesOf(
      logOf([started(), answered('é'.repeat(600), 'call'), gave('call', 'é'.repeat(600))]),
    )
    const { events } = await read(inBytes(lines), wordyEvents)
    const [, answer, result] = events as {
      data: { content?: string; result?: { content: string } }
    }[]
    assert.equal(answer?.data.content, 'Ã©'.repeat(600))
    assert.equal(result?.data.result?.content, 'Ã©'.repeat(600))
  })
})

const linesOf = (history: readonly Placed[]): string[] =>
  history.map(({ event }) => {
    const { stranger: _, ...written } = event as typeof event & { stranger?: true }
    return JSON.stringify(written)
  })

/** Long enough to be skimmed. */
const wordy = (line: string): string =>
  line.replace(/"data":\{(?!\})/, () => `"data":{"padding":${PADDING},`)
const PADDING = JSON.stringify('naïve "東京" 🚀\n'.repeat(40))

/** A field that is not ASCII has to be read as it is written. */
const foreign = (field: string) => (line: string) =>
  line.replaceAll(`"${field}":"`, `"${field}":"é東`)
const fields = fc.constantFrom(
  '',
  'id',
  'timestamp',
  'toolCallId',
  'name',
  'model',
  'agentId',
  'parentToolCallId',
)

const inBytes = (lines: readonly string[]): Buffer =>
  Buffer.from(lines.map((line) => `${line}\n`).join(''))

type Damage = {
  readonly kind: 'flip' | 'nul' | 'cut' | 'glue' | 'half'
  readonly at: number
  readonly bit: number
}
const damages: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'nul', 'cut', 'glue', 'half'),
  at: fc.nat({ max: 1_000_000 }),
  bit: fc.integer({ min: 0, max: 7 }),
})

function damaged(bytes: Buffer, { kind, at, bit }: Damage): Buffer {
  if (bytes.length === 0) return bytes
  const place = at % bytes.length
  if (kind === 'cut') return bytes.subarray(0, place)
  if (kind === 'nul')
    return Buffer.concat([bytes.subarray(0, place), Buffer.alloc(bit + 1), bytes.subarray(place)])
  if (kind === 'half')
    return Buffer.concat([bytes.subarray(0, place), bytes.subarray(bytes.indexOf(10, place) + 1)])
  const copy = Buffer.from(bytes)
  if (kind === 'flip') copy.writeUInt8(copy.readUInt8(place) ^ (1 << bit), place)
  const newline = copy.indexOf(10, place)
  if (kind === 'glue' && newline !== -1)
    return Buffer.concat([copy.subarray(0, newline), copy.subarray(newline + 1)])
  return copy
}

async function same(bytes: Buffer): Promise<void> {
  const skimmed = await read(bytes, wordyEvents)
  const whole = await read(bytes, undefined)
  assert.deepEqual(skimmed.state, whole.state)
  assert.deepEqual(skimmed.findings, whole.findings)
}

async function read(bytes: Buffer, skim: Skim | undefined) {
  const fs = openMemory()
  await fs.writeAtomic('events.jsonl', bytes, { durable: false })
  const folder = createFolder()
  const findings: Finding[] = []
  const events: unknown[] = []
  for await (const batch of readLog(fs, 'events.jsonl', skim && { skim })) {
    findings.push(...batch.findings)
    for (const record of batch.records) {
      folder.push(record)
      events.push(record.event)
    }
  }
  return { state: folder.state(), findings, events }
}
