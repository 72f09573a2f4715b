import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { test } from 'node:test'
import { createRedactor } from '../../lib/redact/redact.ts'
import { converse, openHome, say } from '../../../test/support/engine.ts'
import type { Script } from '../../../test/support/engine.ts'

const SECRET = 'velvet-otter-4471-parade'

test('what streams is redacted in its file as the log redacts it, wherever a secret is cut', async () => {
  await using home = await openHome()
  const redactor = createRedactor({ known: [SECRET], key: new Uint8Array(32) })
  const loaded = await redactor.load()
  let seen = ''
  const script: Script = async function* ({ sessionId }) {
    const file = join(home.path, 'session-state', sessionId, '.reprise/inbox/notices.jsonl')
    const pieces = ['It is ', SECRET.slice(0, 9), SECRET.slice(9), '. ', 'Behind it. '.repeat(60)]
    for (const deltaContent of pieces)
      yield {
        notice: { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent } },
      }
    const read = () => {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        // It appears with the first piece.
        return ''
      }
    }
    while (!read().includes('Behind it.')) await nextRound()
    seen = read()
    yield say(pieces.join(''), 'm')
  }
  const engine = home.engine({
    script,
    redact: async (draft) =>
      ({ ...draft, data: loaded.redactJson(draft.data).value }) as typeof draft,
    redactStream: () => loaded.createStream(),
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'go' })
  const told = seen
    .split('\n')
    .flatMap((line) => /"deltaContent":"([^"]*)"/.exec(line)?.[1] ?? [])
    .join('')
  assert.match(told, /^It is \[REDACTED:[^\]]+\]\. Behind it\./)
  const log = readFileSync(join(home.path, 'session-state', id, 'events.jsonl'), 'utf8')
  assert.ok(log.includes('REDACTED') && !log.includes(SECRET))
})
