/** Sessions whose files a client owns, when that client goes for good or says nothing any more. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createdBy, said, startServer, type RawClient, type Served } from './in-process.ts'

type Params = Readonly<Record<string, string>>

/** The reverse calls, on a folder of this machine. */
async function ownFiles(client: RawClient, root: string): Promise<void> {
  const at = ({ path = '' }: Params) => join(root, path)
  const calls: Readonly<Record<string, (params: Params) => unknown>> = {
    readFile: async (params) => ({ content: await fs.readFile(at(params), 'utf8') }),
    writeFile: (params) => fs.writeFile(at(params), String(params['content'])),
    appendFile: (params) => fs.appendFile(at(params), String(params['content'])),
    exists: (params) => ({ exists: existsSync(at(params)) }),
    async stat(params) {
      const found = await fs.stat(at(params))
      return {
        isFile: found.isFile(),
        isDirectory: found.isDirectory(),
        size: found.size,
        mtime: found.mtime.toISOString(),
      }
    },
    mkdir: async (params) => void (await fs.mkdir(at(params), { recursive: true })),
    readdirWithTypes: async (params) => ({
      entries: (await fs.readdir(at(params), { withFileTypes: true })).map((entry) => ({
        name: entry.name,
        type: entry.isDirectory() ? 'directory' : 'file',
      })),
    }),
    rm: (params) => fs.rm(at(params), { recursive: true, force: true }),
    rename: ({ src = '', dest = '' }) => fs.rename(join(root, src), join(root, dest)),
  }
  for (const [name, call] of Object.entries(calls))
    client.answer(`sessionFs.${name}`, async (params) => {
      try {
        return (await call(params)) ?? null
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        return { error: { code: code === 'ENOENT' ? code : 'UNKNOWN', message } }
      }
    })
  await client.call('sessionFs.setProvider', {
    initialCwd: '/',
    sessionStatePath: '/state',
    conventions: 'posix',
  })
}

const isLog = ({ path }: Params) => String(path).endsWith('events.jsonl')

async function owner(served: Served): Promise<{ client: RawClient; root: string }> {
  const root = join(served.home.path, 'theirs')
  await fs.mkdir(root, { recursive: true })
  const client = served.connect()
  await ownFiles(client, root)
  return { client, root }
}

test('a client that goes in the middle of a write and never comes back leaves nothing that hangs', async () => {
  await using served = await startServer()
  const { client, root } = await owner(served)
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'kept')
  client.answer('sessionFs.appendFile', async (params: Params) => {
    if (!isLog(params)) return null
    await fs.appendFile(join(root, params['path'] ?? ''), String(params['content']).slice(0, 20))
    client.stream.destroy()
    return null
  })
  await assert.rejects(said(client, sessionId, 'lost'), /connection ended/)
  await served.server.stop()
  assert.deepEqual(served.server.open(), [])
})

test('whoever has the files resumes the session at once in the same server', async () => {
  await using served = await startServer()
  const { client, root } = await owner(served)
  const [first] = served.server.clients
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'kept')
  client.answer('sessionFs.appendFile', (params: Params) => {
    if (isLog(params)) client.stream.destroy()
    return null
  })
  await assert.rejects(said(client, sessionId, 'lost'), /connection ended/)
  await first?.peer.ended

  const again = served.connect()
  await ownFiles(again, root)
  const resumed = await again.call('session.resume', { sessionId })
  assert.equal(resumed['alreadyInUse'], false)
  await said(again, sessionId, 'after')
  const { events } = await again.call<{ events: { type: string; data: { content: string } }[] }>(
    'session.getMessages',
    { sessionId },
  )
  const prompts = events.filter(({ type }) => type === 'user.message')
  assert.deepEqual(
    prompts.map(({ data }) => data.content),
    ['kept', 'after'],
  )
})

test('others in the session are told why it ends', async () => {
  await using served = await startServer()
  const { client } = await owner(served)
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'one')
  const other = served.connect()
  await other.call('session.resume', { sessionId })
  client.stream.destroy()
  const { data } = await other.event(sessionId, 'session.error')
  assert.match(String(data['message']), /owns the files of this session has gone/)
  const refused = await other.refusal('session.send', { sessionId, prompt: 'two' })
  assert.equal(refused.code, -32603)
})

test('a client that refuses every write keeps its message, and a close does not wait for it', async () => {
  await using served = await startServer()
  const { client } = await owner(served)
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'kept')
  const refuse = () => ({ error: { code: 'UNKNOWN', message: 'no room' } })
  for (const name of ['appendFile', 'writeFile', 'rename', 'rm'])
    client.answer(`sessionFs.${name}`, refuse)
  const sent = client.refusal('session.send', { sessionId, prompt: 'lost' })
  const { data } = await client.event(sessionId, 'session.error')
  assert.match(String(data['message']), /no room/)
  // Nothing that was acknowledged waits to be written, so there is nothing to refuse.
  await client.call('session.suspend', { sessionId })
  assert.match((await sent).message, /could not be written|no room/)
  assert.deepEqual(served.server.open(), [])
})
