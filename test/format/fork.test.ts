/** docs/format.md, section 8: what a fork takes, what it changes, and when it is there. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gave, said } from '../log-of.ts'
import {
  DIR,
  ID,
  LOG,
  event,
  inHome,
  inLines,
  linesOf,
  scripted,
  twoTurns,
  withEngine,
} from './on-disk.ts'
import { recording } from './recording.ts'
import { converse } from '../support/engine.ts'

test('format §8.9, format §9.2: a fork changes the values that name its source and no other byte', () =>
  inHome(async ({ fs, write, text, file }) => {
    const at = (id: string) => JSON.stringify(file(`session-state/${id}/checkpoints/001-x.md`))
    const start = `{ "type":"session.start", "data": {"version":1,"sessionId":"${ID}","remoteSteerable":true,"producer":"p","copilotVersion":"1","startTime":"2025-01-01T00:00:00.000Z","big":12345678901234567890 },"id":"s","timestamp":"2025-01-01T00:00:00.000Z","parentId":null,"x":"\\u0041"}`
    const rest = [
      `{"id":"u","type":"of.tomorrow","timestamp":"x","parentId":"s","data":{"a":1e400,"a":2,"text":"${ID}"}}`,
      `{"type":"external_tool.requested","data":{"requestId":"r","sessionId":"${ID}","toolCallId":"c","toolName":"t"},"id":"e","timestamp":"x","parentId":"u"}`,
      `{"type":"session.compaction_complete","data":{"success":true,"checkpointPath":${at(ID)}},"id":"c","timestamp":"x","parentId":"e"}`,
      `{"type":"user.message","data":{"content":"about ${ID}"},"id":"m","timestamp":"x","parentId":"c"}`,
    ]
    write(LOG, inLines([start, ...rest]))
    await withEngine(
      fs,
      async (engine) => {
        const { sessionId } = await (await engine.open(ID)).fork()
        const lines = text(`session-state/${sessionId}/events.jsonl`).split('\n')
        assert.deepEqual(lines.slice(0, 5), [
          start
            .replace(ID, sessionId)
            .replace('"remoteSteerable":true,', '')
            .replace('"startTime":"2025-01-01', '"startTime":"2026-03-02'),
          rest[0],
          rest[1]?.replace(ID, sessionId),
          rest[2]?.replace(at(ID), at(sessionId)),
          rest[3],
        ])
        assert.match(lines[5] ?? '', /^\{"type":"session\.info","data":\{"infoType":"fork"/)
        assert.match(text(LOG), /"type":"session\.info","data":\{"infoType":"fork"[^\n]+\n$/)
      },
      { clock: () => new Date('2026-03-02T00:00:00.000Z') },
    )
  }))

test('format §8.10: a fork appears in one step, when it is whole', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines(linesOf(twoTurns)))
    const { watched, calls } = recording(fs)
    await withEngine(watched, async (engine) => {
      const { sessionId } = await (await engine.open(ID)).fork()
      const own = calls.filter((call) => call.includes(`session-state/${sessionId}`))
      assert.deepEqual(own, [`rename session-state/.fork-${sessionId} session-state/${sessionId}`])
    })
  }))

test('format §8.11: a fork before an event leaves behind what later events made', () =>
  inHome(async ({ fs, names }) =>
    withEngine(fs, async (engine) => {
      const { id } = await engine.create()
      await converse(engine, id, { prompt: 'one' })
      await (await engine.open(id)).writeFile('files/early.md', Buffer.from('early'))
      await converse(engine, id, { prompt: 'two' })
      const [second] = await (await engine.open(id)).rewindPoints()
      await (await engine.open(id)).writePlan('A plan.')
      await (await engine.open(id)).writeFile('files/late.md', Buffer.from('late'))
      await (await engine.open(id)).compact()

      const { sessionId: early } = await (await engine.open(id)).fork({ before: second!.eventId })
      assert.deepEqual(names(`session-state/${early}/files`), ['early.md'])
      assert.deepEqual(names(`session-state/${early}/checkpoints`), ['index.md'])
      assert.equal(await (await engine.open(early)).readPlan(), undefined)

      const { sessionId: late } = await (await engine.open(id)).fork()
      assert.deepEqual(names(`session-state/${late}/files`), ['early.md', 'late.md'])
      assert.equal((await (await engine.open(late)).checkpoints()).length, 1)
      assert.equal(await (await engine.open(late)).readPlan(), 'A plan.')
    }),
  ))

test('format §8.12: a fork holds every blob that its events name', () =>
  inHome(async ({ fs, text }) => {
    const long = 'x'.repeat(100_000)
    const agent = scripted(async function* () {
      yield { draft: gave('call-1', long) }
    })
    await withEngine(
      fs,
      async (engine) => {
        const { id } = await engine.create()
        await converse(engine, id, { prompt: 'one' })
        const { sessionId } = await (await engine.open(id)).fork()
        const name = createHash('sha256').update(long).digest('hex')
        await engine.remove([id], { now: true })
        assert.equal(text(`session-state/${sessionId}/.reprise/blobs/${name}`), long)
      },
      { agent },
    )
  }))

test('format §8.4: a fork before an event that is not there changes nothing', () =>
  inHome(async ({ fs, write, text, names }) => {
    const log = inLines(linesOf([...twoTurns, said('third')]))
    write(LOG, log)
    await withEngine(fs, async (engine) => {
      await assert.rejects((await engine.open(ID)).fork({ before: event(99) }), {
        code: 'not_found',
      })
      await assert.rejects((await engine.open(ID)).fork({ before: event(1) }), { code: 'invalid' })
    })
    assert.equal(text(`${DIR}/events.jsonl`), log)
    assert.deepEqual(names('session-state'), [ID])
  }))
