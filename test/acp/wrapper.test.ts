import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { connectClient, startServer, type TestClient } from './place.ts'

const AGENT = join(import.meta.dirname, '../acp-agent/agent.ts')
const said = ({ updates }: TestClient) =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => (content as { text: string }).text)
    .join('')

it('an agent that dies and forgets has sessions that load, go on and fork', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const agent = `"${process.execPath}" "${AGENT}"`
  const open = async () => {
    const server = startServer(home, ['--allow-all', '--agent', agent])
    return { server, client: await connectClient(server.stdout!, server.stdin!) }
  }
  const ask = (client: TestClient, sessionId: string, text: string) =>
    client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })

  const { server, client } = await open()
  const { sessionId } = await client.request<{ sessionId: string }>('session/new', {
    cwd: home,
    mcpServers: [],
  })
  await ask(client, sessionId, '<<say the secret is blue>>')
  await ask(client, sessionId, '<<crash>>').catch(() => {})
  await ask(client, sessionId, '<<recall>>')
  assert.match(said(client), /the secret is blue[\s\S]*the secret is blue/)
  server.kill('SIGKILL')
  await once(server, 'exit')

  const again = await open()
  await again.client.request('session/load', { sessionId, cwd: home, mcpServers: [] })
  assert.match(said(again.client), /the secret is blue/)
  again.client.updates.length = 0
  await ask(again.client, sessionId, '<<recall>>')
  assert.match(said(again.client), /the secret is blue/, 'the new process was told')
  const fork = await again.client.request<{ sessionId: string }>('session/fork', {
    sessionId,
    cwd: home,
    mcpServers: [],
  })
  again.client.updates.length = 0
  await ask(again.client, fork.sessionId, '<<recall>>')
  assert.match(said(again.client), /the secret is blue/)
  again.client.leave()
  await once(again.server, 'exit')
  assert.deepEqual([client.faults, again.client.faults], [[], []])
  await rm(home, { recursive: true, force: true })
})
