/** docs/format.md, section 9: what every reader keeps to, whatever it finds. */
import assert from 'node:assert/strict'
import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { openMemory } from '../../src/fs/memory.ts'
import { inspectLog } from '../../src/log/inspect.ts'
import { eventId } from '../log-of.ts'
import {
  DIR,
  ID,
  LOG,
  idsOf,
  inHome,
  inLines,
  linesOf,
  readAll,
  twoTurns,
  withEngine,
} from './on-disk.ts'

const lines = linesOf(twoTurns)
const unknown = `{"mood":"calm","type":"session.dreamed","data":{"of":"sheep"},"id":"d","timestamp":"x","parentId":"${eventId(5)}"}`
const extended = lines.map((line) => line.replace('"data":{', '"data":{"of_tomorrow":[1],'))

test('format §9.1: unknown types and fields are accepted and kept, and mean nothing', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines(lines))
    const plain = await withEngine(fs, async (engine) => (await engine.open(ID)).state())
    write(LOG, inLines([...extended, unknown]))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(findings, [])
    assert.deepEqual(records.at(-1)?.event, {
      ...(JSON.parse(unknown) as object),
      stranger: true,
    })
    assert.deepEqual(
      records.slice(0, 5).map(({ event }) => event),
      extended.map((line) => JSON.parse(line) as unknown),
    )
    const state = await withEngine(fs, async (engine) => (await engine.open(ID)).state())
    assert.deepEqual(
      [state.turns.length, state.titleHint, state.model],
      [plain.turns.length, plain.titleHint, plain.model],
    )
  }))

test('format §9.2: an export is the log byte for byte', () =>
  inHome(async ({ fs, write }) => {
    const log = `\ufeff${inLines([...extended, unknown, 'noise'])}{"type":"torn`
    write(LOG, log)
    await withEngine(fs, async (engine) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of (await engine.open(ID)).raw()) chunks.push(chunk)
      assert.equal(Buffer.concat(chunks).toString(), log)
    })
  }))

/** Pieces of logs, and bytes that no log should have. */
const pieces = fc.oneof(
  fc.constantFrom(
    ...lines,
    unknown,
    '\n',
    '\r\n',
    '\ufeff',
    '{',
    '}',
    '"',
    '\\',
    '{"type":',
    'null',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(...lines).map((line) => line.slice(0, line.length / 2)),
)
const bytes = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
)

test('format §9.3: no bytes make a reader fail, and what it reads does not depend on its chunks', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const fs = openMemory()
      await fs.writeAtomic(LOG, content, { durable: false })
      const read = inOrder(await readAll(fs, LOG))
      assert.deepEqual(inOrder(await readAll(fs, LOG, { chunkBytes: 16 })), read)
      for (const { start, end } of [...read.records, ...read.findings]) {
        assert.ok(start >= 0 && start <= end && end <= content.length)
      }
    }),
    { numRuns: 300 },
  )
})

/** Findings come batch by batch; within one their order says nothing. */
const inOrder = ({ records, findings }: Awaited<ReturnType<typeof readAll>>) => ({
  records,
  findings: findings.toSorted(
    (one, other) =>
      one.start - other.start || one.end - other.end || one.kind.localeCompare(other.kind),
  ),
})

test('format §9.4: reading changes nothing in a session, not even a torn tail', () =>
  inHome(async ({ fs, write, file }) => {
    write(LOG, `${inLines(lines)}{"type":"torn`)
    write(`${DIR}/workspace.yaml`, `id: ${ID}\n`)
    write(`${DIR}/.reprise/redo.json`, '{"entry":"001","from":10,"to":20}')
    write(`${DIR}/.reprise/rewound/001.jsonl`, 'half a rewind')
    const before = picture(file(DIR))
    assert.deepEqual(idsOf((await readAll(fs, LOG)).records), [1, 2, 3, 4, 5].map(eventId))
    await inspectLog(fs, DIR, ID)
    await withEngine(fs, async (engine) => {
      await engine.list()
      await (await engine.open(ID)).events()
      await (await engine.open(ID)).events({ direction: 'backward', limit: 2 })
      await (await engine.open(ID)).metadata()
      await (await engine.open(ID)).files()
      for await (const chunk of (await engine.open(ID)).raw()) assert.ok(chunk.length > 0)
    })
    assert.deepEqual(picture(file(DIR)), before)
  }))

/** Names, bytes and times of everything below a folder. */
function picture(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stats = lstatSync(`${folder}/${name}`)
      const content = stats.isFile() ? readFileSync(`${folder}/${name}`, 'utf8') : undefined
      return [name, stats.ino, stats.mtimeMs, content]
    })
}
