/** Two editors, each with a `reprise acp` of its own, on one session: both see, both are asked, both can stop it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { deferred } from '../../src/lib/deferred.ts'
import { ALLOW, connectClient, startServer, type TestClient } from './place.ts'

const AGENT = `"${process.execPath}" --no-warnings "${join(import.meta.dirname, '../acp-agent/agent.ts')}"`

it('the second is asked as well, its answer counts, and its stop ends the turn', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const open = async () => {
    const server = startServer(home, ['--agent', AGENT])
    return { server, client: await connectClient(server.stdout!, server.stdin!) }
  }
  const [one, two] = [await open(), await open()]
  const { sessionId } = await one.client.request<{ sessionId: string }>('session/new', {
    cwd: home,
    mcpServers: [],
  })
  const ask = (client: TestClient, text: string) =>
    client.request<{ stopReason: string }>('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text }],
    })
  await ask(one.client, 'hello <<say hi>>')
  await two.client.request('session/load', { sessionId, cwd: home, mcpServers: [] })

  const asked = deferred<void>()
  one.client.answers = {
    'session/request_permission': () => {
      asked.resolve()
      return new Promise(() => {})
    },
  }
  two.client.answers = { 'session/request_permission': () => ALLOW }
  const answered = ask(one.client, '<<permission>>')
  await asked.promise
  assert.equal((await answered).stopReason, 'end_turn')
  assert.ok(two.client.order.includes('asked session/request_permission'))

  const waiting = ask(one.client, '<<say begun>><<wait>>')
  await two.client.until(({ content }) => JSON.stringify(content)?.includes('begun') === true)
  two.client.notify('session/cancel', { sessionId })
  assert.equal((await waiting).stopReason, 'cancelled')

  for (const { client, server } of [one, two]) {
    client.leave()
    if (server.exitCode === null) await once(server, 'exit')
    assert.deepEqual(client.faults, [])
  }
  await rm(home, { recursive: true, force: true })
})
