import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { test } from 'node:test'
import type { Event } from '../../format/event.ts'
import { openDisk } from '../../fs/disk.ts'
import type { FeedItem } from '../live/feed.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { createRedactor } from '../../lib/redact/redact.ts'
import { converse, openHome, say, type Script } from '../../../test/support/engine.ts'

const SECRET = 'velvet-otter-4471-parade'

test('what streams is redacted in its file as the log redacts it, wherever a secret is cut', async () => {
  await using home = await openHome()
  const redactor = createRedactor({ known: [SECRET], key: new Uint8Array(32) })
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
      ({ ...draft, data: redactor.redactJson(draft.data).value }) as typeof draft,
    redactStream: () => redactor.createStream(),
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

test('what a full disk kept from being settled goes before the next turn, with what was printed', async () => {
  await using home = await openHome()
  let isFull = false
  const disk = openDisk(home.path)
  const openAppend: SessionFs['openAppend'] = async (path) => {
    const file = await disk.openAppend(path)
    const write: typeof file.write = (...given) =>
      isFull
        ? Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }))
        : file.write(...given)
    return Object.create(file, { write: { value: write } }) as typeof file
  }
  const script: Script = async function* ({ message }) {
    if (message.content === 'again') return yield say('back')
    yield { draft: { type: 'tool.execution_start', data: { toolCallId: 'c', toolName: 'bash' } } }
    isFull = true
    const data = { toolCallId: 'c', partialOutput: 'printed' }
    yield { notice: { type: 'tool.execution_partial_result', data } }
    yield say('lost')
  }
  const fs = Object.create(disk, { openAppend: { value: openAppend } }) as SessionFs
  const engine = home.engine({ script, fs })
  const { id } = await engine.create()
  const session = await engine.open(id)
  const followed = session.follow({ fromNow: true })
  await followed.next()
  const sent = await session.send({ prompt: 'go' }, { detached: true })
  await assert.rejects(sent.ended)
  // Nobody waited for it: those who follow are told.
  const isTold = (item: FeedItem) => JSON.stringify(item).includes('to its end')
  for (let next = await followed.next(); !isTold(next.value as FeedItem);)
    next = await followed.next()
  await followed.return()
  isFull = false
  await converse(engine, id, { prompt: 'again' })
  const lines = readFileSync(join(home.path, 'session-state', id, 'events.jsonl'), 'utf8').trim()
  const events = lines.split('\n').map((line) => JSON.parse(line) as Event)
  const from = events.findIndex(({ type }) => type === 'tool.execution_start')
  const rest = events.slice(from + 1)
  const next = rest.findIndex(({ type }) => type === 'user.message')
  const settled = rest.slice(0, next)
  assert.ok(settled.some(({ type }) => type === 'assistant.turn_end'))
  const ended = settled.find(({ type }) => type === 'tool.execution_complete')
  assert.match(JSON.stringify(ended?.data), /printed/)
})
