/** Sessions of agents, copied up to a prompt into files of their own. */
import assert from 'node:assert/strict'
import {
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readFile,
  readdir,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { geminiStore } from './gemini-store.ts'
import type { OwnStore } from './own-store.ts'
import { opencodeStore } from './opencode-store.ts'
import { qwenStore } from './qwen-store.ts'

const ID = '0123abcd-0000-4000-8000-000000000000'

async function openChats(below: string, name: string, records: readonly object[]) {
  const home = await mkdtemp(join(tmpdir(), 'reprise-store-'))
  const folder = join(home, below, 'chats')
  await mkdir(folder, { recursive: true })
  const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
  await writeFile(join(folder, name), text)
  const line = { command: 'none', args: [] }
  const place = { env: { HOME: home }, line, cwd: home, sessionId: ID }
  return {
    place,
    /** The only file that is new, by its lines. */
    async copied(store: OwnStore, prompts: Parameters<OwnStore['copy']>[1]) {
      const id = await store.copy(place, prompts)
      assert.ok(typeof id === 'string', JSON.stringify(id))
      assert.equal(await readFile(join(folder, name), 'utf8'), text, 'its own is as it was')
      const [file = '', ...others] = (await readdir(folder)).filter((each) => each !== name)
      assert.deepEqual(others, [])
      const lines = (await readFile(join(folder, file), 'utf8')).trim().split('\n')
      await rm(join(folder, file))
      return { id, file, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

test('a session of Qwen Code is copied up to a prompt, under another id', async () => {
  const said = (uuid: string, type: string, part: object) => ({
    uuid,
    sessionId: ID,
    type,
    message: { parts: [part] },
  })
  await using chats = await openChats('.qwen/projects/-p', `${ID}.jsonl`, [
    said('1', 'user', { text: 'one' }),
    said('2', 'assistant', { functionCall: {} }),
    said('3', 'tool_result', { functionResponse: {} }),
    said('4', 'user', { text: 'two' }),
    said('5', 'assistant', { text: 'B' }),
  ])
  for (const prompts of [{ kept: 1 }, { dropped: 1 }]) {
    const { id, file, lines } = await chats.copied(qwenStore, prompts)
    assert.equal(file, `${id}.jsonl`)
    assert.deepEqual(
      lines.map(({ uuid, sessionId }) => [uuid, sessionId === id]),
      [
        ['1', true],
        ['2', true],
        ['3', true],
      ],
    )
  }
  assert.equal((await chats.copied(qwenStore, { dropped: 0 })).lines.length, 5)
  for (const prompts of [{ kept: 3 }, { dropped: 2 }])
    assert.deepEqual(await qwenStore.copy(chats.place, prompts), {
      why: 'its own log is not what was expected',
    })
})

test('a session of Gemini CLI is copied as it stands, under a name that it does not clear', async () => {
  const own = `session-2026-01-01T00-00-${ID.slice(0, 8)}.jsonl`
  await using chats = await openChats('.gemini/tmp/p', own, [
    { sessionId: ID, projectHash: 'h', kind: 'main' },
    { $set: { messages: [{ id: 'c', type: 'user', content: '<session_context>' }] } },
    { id: '1', type: 'user', content: [{ text: 'one' }] },
    { id: '2', type: 'gemini', content: '' },
    { id: '2', type: 'gemini', content: 'A' },
    { id: '3', type: 'user', content: [{ text: 'taken back' }] },
    { $rewindTo: '3' },
    { id: 'r', type: 'user', content: [{ functionResponse: { name: 'run_shell_command' } }] },
    { id: '4', type: 'user', content: [{ text: 'two' }] },
    { id: '5', type: 'gemini', content: 'B' },
  ])
  assert.match((await geminiStore.doubt?.(chats.place)) ?? '', /would clear/)
  const whole = await chats.copied(geminiStore, { dropped: 0 })
  assert.deepEqual(
    whole.lines.map(({ id, sessionId }) => id ?? sessionId),
    [whole.id, 'c', '1', '2', 'r', '4', '5'],
  )
  const { id, file, lines } = await chats.copied(geminiStore, { kept: 1 })
  assert.deepEqual(
    lines.map(({ content }) => content),
    [
      undefined,
      '<session_context>',
      [{ text: 'one' }],
      'A',
      [{ functionResponse: { name: 'run_shell_command' } }],
    ],
  )
  assert.match(file, /^session-[\d-]+T[\d-]+-[\da-f]{8}\.jsonl$/)
  assert.ok(!file.includes(id.slice(0, 8)))
})

/** Answers as OpenCode's server does, to whom has the password, and forks into an id that says where. */
const SERVER = `
  const messages = ['u1', 'a1', 'u2', 'a2'].map((id) => ({ info: { id, role: id[0] === 'u' ? 'user' : 'assistant' } }))
  const server = require('node:http').createServer(async (request, response) => {
    const { authorization } = request.headers
    const wanted = 'Basic ' + btoa('opencode:' + process.env.OPENCODE_SERVER_PASSWORD)
    const { pathname } = new URL(request.url, 'http://x')
    let body = ''
    for await (const piece of request) body += piece
    const isAsked = request.method === 'GET' && pathname === '/session/s/message'
    const isForked = request.method === 'POST' && pathname === '/session/s/fork'
    response.statusCode = authorization !== wanted ? 401 : isAsked || isForked ? 200 : 404
    response.end(JSON.stringify(isForked ? { id: 'before-' + JSON.parse(body).messageID } : messages))
  })
  server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port))
`

test('a session of OpenCode is forked at a prompt by its own server, which is ended', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'reprise-store-'))
  const command = join(home.path, 'opencode')
  await writeFile(command, `#!${process.execPath}\n${SERVER}`, { mode: 0o700 })
  const place = (sessionId: string) => ({
    env: {},
    line: { command, args: ['acp'] },
    cwd: home.path,
    sessionId,
  })
  assert.equal(await opencodeStore.copy(place('s'), { kept: 1 }), 'before-u2')
  assert.deepEqual(await opencodeStore.copy(place('s'), { kept: 3 }), {
    why: 'its own log is not what was expected',
  })
  assert.deepEqual(await opencodeStore.copy(place('other'), { kept: 1 }), {
    why: 'its own log could not be copied: its server answered 404',
  })
})
