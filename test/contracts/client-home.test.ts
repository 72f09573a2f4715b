/** Sessions whose files a connected client owns, through the whole engine. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { ClientCalls } from '../../src/fs/client-calls.ts'
import { openClient } from '../../src/fs/client.ts'
import type { ClientOptions } from '../../src/fs/client-home.ts'
import { converse, eventsOf, promptsOf, say, scripted } from '../support/engine.ts'
import { folderProvider } from '../support/provider.ts'

const kinds: readonly (readonly [string, ClientOptions])[] = [
  ['text', { conventions: 'posix', sessionStatePath: '/state' }],
  ['bytes', { conventions: 'posix', sessionStatePath: '/state', capabilities: { binary: true } }],
  ['Windows paths', { conventions: 'windows', sessionStatePath: 'C:\\state\\' }],
]

async function openAt(
  options: ClientOptions,
  between: (calls: ClientCalls) => ClientCalls = (calls) => calls,
) {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-owned-'))
  const sessionStatePath = options.sessionStatePath.replace(/\\$/, '')
  const calls = between(folderProvider(folder, { ...options, sessionStatePath }))
  const engine = (): Engine =>
    createEngine({
      cwd: process.cwd(),
      fs: openClient(calls, options),
      agent: scripted(async function* (turn) {
        yield say(`echo: ${turn.message.content} é`)
      }),
    })
  return { engine, dispose: () => rm(folder, { recursive: true, force: true }) }
}

describe('sessions with a client that owns the files', () => {
  for (const [name, options] of kinds) {
    it(`live, are rewound, redone, forked, and opened again (${name})`, async () => {
      const { engine, dispose } = await openAt(options)
      const one = engine()
      const { id } = await one.create({ cwd: '/' })
      for (const prompt of ['one', 'two', 'three']) await converse(one, id, { prompt })
      assert.equal(one.fs.backend, 'client')
      await (await one.open(id)).undo({ turns: 2 })
      assert.deepEqual(await promptsOf(one, id), ['one'])
      await (await one.open(id)).redo()
      const fork = await (await one.open(id)).fork()
      await (await one.open(id)).writeFile('files/blob.bin', Uint8Array.of(0xff, 0, 1))
      await one.stop()

      const two = engine()
      await (await two.open(id)).resume()
      await converse(two, id, { prompt: 'four' })
      assert.deepEqual(await promptsOf(two, id), ['one', 'two', 'three', 'four'])
      assert.deepEqual(await promptsOf(two, fork.sessionId), ['one', 'two', 'three'])
      assert.deepEqual([...(await (await two.open(id)).readFile('files/blob.bin'))], [0xff, 0, 1])
      assert.deepEqual(
        new Set((await two.list()).map((each) => each.id)),
        new Set([id, fork.sessionId]),
      )
      await two.remove([fork.sessionId], { now: true })
      assert.equal((await two.list()).length, 1)
      await two.stop()
      await dispose()
    })
  }

  it('keep every event that was told, and go on, wherever the client is away for a while', async () => {
    for (const left of [0, 1, 2, 3, 5, 8, 13, 21, 34]) {
      let calls = Infinity
      const { engine, dispose } = await openAt(kinds[0]![1], (call) => async (method, params) => {
        calls -= 1
        if (calls < 0 && calls >= -3) throw new Error('connection closed')
        return call(method, params)
      })
      const one = engine()
      const { id } = await one.create({ cwd: '/' })
      await converse(one, id, { prompt: 'kept' })
      const told: string[] = []
      const ending = new AbortController()
      const following = (async () => {
        for await (const item of (await one.open(id)).follow({ signal: ending.signal })) {
          if (item.kind === 'event') told.push(item.event.id)
        }
      })().catch(() => {})
      calls = left
      await converse(one, id, { prompt: 'cut' }).catch(() => {})
      ending.abort()
      await following
      calls = Infinity
      await one.stop()

      const two = engine()
      const there = new Set<string>((await eventsOf(two, id)).map((event) => event.id))
      assert.deepEqual(
        told.filter((each) => !there.has(each)),
        [],
        `after ${left} calls`,
      )
      assert.equal((await promptsOf(two, id))[0], 'kept')
      await converse(two, id, { prompt: 'goes on' })
      assert.equal((await promptsOf(two, id)).at(-1), 'goes on')
      await two.stop()
      await dispose()
    }
  })
})
