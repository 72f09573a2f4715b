/** Every prefix of a log, and every log with one bit flipped: it opens, loses next to nothing, and goes on. */
import assert from 'node:assert/strict'
import type { Draft } from '../../../src/format/event.ts'
import { openMemory } from '../../../src/fs/memory.ts'
import type { SessionFs } from '../../../src/fs/session-fs.ts'
import { openLog, type SessionLog } from '../../../src/log/open.ts'
import { readLog } from '../../../src/log/read.ts'
import { spread, type Part, type Trial } from '../part.ts'

const DIR = 'session-state/5e551011-0000-4000-8000-000000000000'
const LOG = `${DIR}/events.jsonl`

export const prefixes: Part = {
  name: 'prefixes',
  share: 3,
  cannot: false,
  async run(trial) {
    const { bytes, ends } = await mixedLog(64 * 1024)
    const lengths = Uint32Array.from({ length: bytes.length + 1 }, (_, length) => length)
    for (const length of spread(lengths)) {
      if (!trial.hasTime()) return
      const found = await reopened(bytes.subarray(0, length))
      // A record is complete when only its newline is missing.
      const whole = ends.filter(({ end }) => end - 1 <= length).map(({ id }) => id)
      assert.deepEqual(found.slice(0, -1), whole, `prefix of ${length} bytes`)
      trial.count('byte prefixes')
    }
  },
}

export const flips: Part = {
  name: 'flips',
  share: 2,
  cannot: false,
  run: async (trial: Trial) => {
    const { bytes, ends } = await mixedLog(6 * 1024)
    const bits = Uint32Array.from({ length: bytes.length * 8 }, (_, bit) => bit)
    for (const bit of spread(bits)) {
      if (!trial.hasTime()) return
      const damaged = Buffer.from(bytes)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      const found = new Set(await reopened(damaged))
      const lost = ends.filter(({ id }) => !found.has(id)).length
      assert.ok(lost <= 2, `bit ${bit & 7} of byte ${bit >> 3} costs ${lost} records`)
      trial.count('bit flips')
    }
  },
}

/** The ids that are found, and at the end the one of an event that was appended after opening. */
async function reopened(bytes: Uint8Array): Promise<readonly string[]> {
  const fs = openMemory()
  const file = await fs.openAppend(LOG)
  await file.write([bytes], 0)
  await file.close()
  const log = await open(fs)
  const [added] = await log.append([message('appended afterwards')])
  await log.close()
  const ids: string[] = []
  for await (const { records } of readLog(fs, LOG))
    ids.push(...records.map(({ event }) => event.id))
  assert.equal(ids.at(-1), added?.event.id)
  return ids
}

async function mixedLog(
  size: number,
): Promise<{ bytes: Buffer; ends: readonly { id: string; end: number }[] }> {
  const fs = openMemory()
  const log = await open(fs)
  const ends: { id: string; end: number }[] = []
  for (let number = 0; log.size < size; number += 1) {
    for (const { event, end } of await log.append([DRAFTS[number % DRAFTS.length]!(number)]))
      ends.push({ id: event.id, end })
  }
  await log.close()
  return { bytes: Buffer.from((await fs.read(LOG)) ?? []), ends }
}

const open = (fs: SessionFs): Promise<SessionLog> =>
  openLog(fs, DIR, {
    durability: 'synced',
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    onTrouble: ({ error }) => assert.fail(error),
    onRecovered: () => {},
  })

const message = (content: string): Draft => ({ type: 'user.message', data: { content } })

const DRAFTS: readonly ((number: number) => Draft)[] = [
  (number) => message(`plain ${number}`),
  (number) => ({
    type: 'assistant.message',
    data: { messageId: String(number), content: 'line\nline\u2028"quoted" \\ {"a":1}' },
  }),
  () => message('\u{1f469}\u200d\u{1f4bb} \u0000 \ufeff \u00e9'.repeat(8)),
  (number) => ({
    type: 'tool.execution_start',
    data: { toolCallId: `t${number}`, toolName: 'bash', arguments: { command: 'ls' } },
  }),
  (number) => ({
    type: 'tool.execution_complete',
    data: { toolCallId: `t${number}`, success: true, result: { content: 'x'.repeat(900) } },
  }),
]
