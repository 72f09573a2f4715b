/** Sessions whose files a client of the SDK owns. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll, type SessionFsProvider } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { sqliteProvider } from '../support/provider.ts'
import { makeRpcPlace } from './place.ts'

/** The client's own folder, by the calls that the SDK passes on. */
function folderProvider(root: string): SessionFsProvider {
  const at = (path: string) => join(root, path)
  return {
    readFile: (path) => fs.readFile(at(path), 'utf8'),
    writeFile: (path, content) => fs.writeFile(at(path), content),
    appendFile: (path, content) => fs.appendFile(at(path), content),
    exists: (path) => Promise.resolve(existsSync(at(path))),
    async stat(path) {
      const found = await fs.stat(at(path))
      return {
        isFile: found.isFile(),
        isDirectory: found.isDirectory(),
        size: found.size,
        mtime: found.mtime.toISOString(),
        birthtime: found.birthtime.toISOString(),
      }
    },
    mkdir: async (path, recursive) => void (await fs.mkdir(at(path), { recursive })),
    readdir: (path) => fs.readdir(at(path)),
    readdirWithTypes: async (path) =>
      (await fs.readdir(at(path), { withFileTypes: true })).map((entry) => ({
        name: entry.name,
        type: entry.isDirectory() ? 'directory' : 'file',
      })),
    rm: (path, recursive, force) => fs.rm(at(path), { recursive, force }),
    rename: (from, to) => fs.rename(at(from), at(to)),
  }
}

test('a client that owns the files gets the log, and another one resumes from them', async () => {
  await using place = makeRpcPlace()
  const theirs = join(place.project, '..', 'theirs')
  await fs.mkdir(theirs)
  const sessionFs = {
    initialCwd: place.project,
    sessionStatePath: '/state',
    conventions: 'posix' as const,
  }
  const config = {
    onPermissionRequest: approveAll,
    createSessionFsProvider: () => folderProvider(theirs),
  }
  const first = place.client({ sessionFs })
  const session = await first.createSession(config)
  await session.sendAndWait('run echo one')
  const { sessionId } = session
  const log = join(theirs, 'state/events.jsonl')
  assert.match(await fs.readFile(log, 'utf8'), /run echo one/)
  const about = (await session.rpc.metadata.snapshot()) as { backend?: string }
  assert.equal(about.backend, 'client')
  assert.equal(existsSync(join(place.home, 'session-state', sessionId)), false)
  await session.disconnect()
  await first.stop()

  const again = await place.client({ sessionFs }).resumeSession(sessionId, config)
  const answer = await again.sendAndWait('run echo two')
  assert.match(answer?.data.content ?? '', /two/)
  const prompts = (await again.getEvents()).filter(({ type }) => type === 'user.message')
  assert.equal(prompts.length, 2)
})

test('where files live is said before the first session', async () => {
  await using place = makeRpcPlace()
  const client = place.client()
  await client.createSession({ onPermissionRequest: approveAll })
  await assert.rejects(
    client.rpc.sessionFs.setProvider({
      initialCwd: '/',
      sessionStatePath: '/state',
      conventions: 'posix',
    }),
    /before the first session/,
  )
})

test("a session's own database is the client's, and its agent uses it", async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'sql', arguments: { database: 'session', query: 'CREATE TABLE t (x)' } }] },
    {
      calls: [
        { name: 'sql', arguments: { database: 'session', query: "INSERT INTO t VALUES ('kept')" } },
      ],
    },
    { calls: [{ name: 'sql', arguments: { database: 'session', query: 'SELECT x FROM t' } }] },
    { text: 'Done.' },
  ])
  await using place = makeRpcPlace()
  const theirs = join(place.project, '..', 'theirs')
  await fs.mkdir(theirs)
  const { calls, dispose } = sqliteProvider()
  const asked = (method: 'sqliteQuery' | 'sqliteExists', params = {}) =>
    calls(method, params) as Promise<never>
  const provider: SessionFsProvider = {
    ...folderProvider(theirs),
    sqlite: {
      query: (queryType, query) => asked('sqliteQuery', { queryType, query }),
      exists: async () => (await asked('sqliteExists'))['exists'],
    },
  }
  const client = place.client({
    sessionFs: {
      initialCwd: place.project,
      sessionStatePath: '/state',
      conventions: 'posix',
      capabilities: { sqlite: true },
    },
  })
  const session = await client.createSession({
    onPermissionRequest: approveAll,
    createSessionFsProvider: () => provider,
    model: 'test-model',
    provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
  })
  await session.sendAndWait('Remember it')
  assert.match(JSON.stringify(model.requests[3]?.body['messages']), /kept/)
  assert.deepEqual(await asked('sqliteQuery', { queryType: 'query', query: 'SELECT x FROM t' }), {
    columns: ['x'],
    rows: [{ x: 'kept' }].map((row) => Object.assign(Object.create(null), row)),
    rowsAffected: 0,
  })
  await client.stop()
  dispose()
})
