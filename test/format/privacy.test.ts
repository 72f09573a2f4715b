/** docs/format.md, sections 12 and 13: what a log must not do to whoever opens it, and files of older versions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent } from '../../src/engine/agent.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { safeText } from '../../src/lib/safe-text.ts'
import { answered, said, started } from '../log-of.ts'
import { ID, LOG, inHome, inLines, linesOf, openWriter, readAll, withEngine } from './on-disk.ts'
import { converse } from '../support/engine.ts'

test('format §12.1: the marker of a redaction is text like any other', () =>
  inHome(async ({ fs }) => {
    const text = 'key = [REDACTED:github-token:3fa9]'
    const log = await openWriter(fs)
    await log.append([started(), said(text)])
    await log.close()
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual([records[1]?.event.data, findings], [{ content: text }, []])
  }))

test('format §12.2: a permission granted for a session is asked for again when it is resumed or forked', () =>
  inHome(async ({ fs }) => {
    let asked = 0
    const agent: Agent = {
      name: 'asks',
      async *run({ permit }) {
        const request = { kind: 'read', toolCallId: 'c', intention: 'Read', path: 'x' } as const
        await permit(request)
        yield { draft: answered('done') }
      },
    }
    const policy = () => {
      asked += 1
      return { kind: 'allow-for-session', by: 'person' } as const
    }
    const say = (id: SessionId) =>
      withEngine(fs, (engine) => converse(engine, id, { prompt: 'read' }), { agent, policy })
    const [id, fork] = await withEngine(
      fs,
      async (engine) => {
        const made = await engine.create()
        await converse(engine, made.id, { prompt: 'read' })
        return [made.id, (await made.fork()).sessionId] as const
      },
      { agent, policy },
    )
    assert.equal(asked, 1)
    await say(id)
    await say(fork)
    assert.equal(asked, 3)
  }))

test('format §12.3: text of a log cannot steer a terminal', () => {
  const hostile = 'a\u001b[2Jb\u001b]52;c;ZXZpbA==\u0007c\u009b31md\u202ee\u0000f\rg'
  assert.equal(safeText(hostile), 'abcd⟨202e⟩efg')
})

test('format §13.1: flat files of older versions are named and left alone', () =>
  inHome(async ({ fs, write, text, names }) => {
    const flat = inLines(linesOf([started(), said('long ago')]))
    write(`session-state/${ID}.jsonl`, flat)
    await withEngine(fs, async (engine) => {
      assert.deepEqual(await engine.list(), [])
      assert.deepEqual(await engine.legacy(), [`${ID}.jsonl`])
      await assert.rejects((await engine.open(ID)).resume(), { code: 'legacy' })
    })
    assert.equal(text(`session-state/${ID}.jsonl`), flat)
    assert.deepEqual(names('session-state'), [`${ID}.jsonl`])
  }))
