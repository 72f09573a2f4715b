/**
 * A turn that runs in one process, `reprise -p`, is steered, queued behind and stopped by servers in other processes:
 * JSON-RPC and ACP reach as far as the command line, and say success only for what happened.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { connectClient, startServer } from '../acp/place.ts'
import { makeRpcPlace, type RpcPlace } from '../rpc/place.ts'
import { PROGRAM } from '../support/program.ts'

type Told = { readonly type: string; readonly data: Readonly<Record<string, unknown>> }

/** `-p` in a process of its own, once its command runs. */
async function startTurn(place: RpcPlace) {
  const id = crypto.randomUUID()
  const child = spawn(PROGRAM, ['--resume', id, '--allow-all', '--json', '-p', 'run sleep 600'], {
    cwd: place.project,
    env: { ...place.env, REPRISE_HOME: place.home },
  })
  child.stdin.end()
  const told: Told[] = []
  const begun = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line) as Told
    told.push(event)
    if (event.type === 'tool.execution_start') begun.resolve()
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  await Promise.race([begun.promise, ended])
  return { id, told, ended, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

test('JSON-RPC steers a turn of another process, queues behind it, and truly ends it', async () => {
  await using place = makeRpcPlace()
  using turn = await startTurn(place)
  const session = await place
    .client({}, ['--allow-all'])
    .resumeSession(turn.id, { onPermissionRequest: approveAll })
  await session.send({ prompt: 'afterwards', mode: 'enqueue' })
  await session.send({ prompt: 'meanwhile', mode: 'immediate' })
  const { items } = await session.rpc.queue.pendingItems()
  assert.deepEqual(
    items.map(({ displayText }) => displayText),
    ['afterwards'],
    'one waits where the turn runs, the other has joined it',
  )
  await session.abort()
  assert.notEqual(await turn.ended, null, 'it ended by itself')
  const aborts = turn.told.filter(({ type }) => type === 'abort')
  assert.equal(aborts.length, 1)
  const events = await session.getEvents()
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'user.message' ? event.data.content : [])),
    ['run sleep 600', 'meanwhile'],
  )
})

test('ACP ends a turn of another process', async () => {
  await using place = makeRpcPlace()
  using turn = await startTurn(place)
  const server = startServer(dirname(place.home), ['--allow-all'], { REPRISE_HOME: place.home })
  const client = await connectClient(server.stdout!, server.stdin!)
  await client.request('session/load', {
    sessionId: turn.id,
    cwd: place.project,
    mcpServers: [],
  })
  client.notify('session/cancel', { sessionId: turn.id })
  assert.notEqual(await turn.ended, null, 'it ended by itself')
  assert.equal(turn.told.filter(({ type }) => type === 'abort').length, 1)
  const gone = once(server, 'exit')
  client.leave()
  await gone
})

test('of two processes that let go what a dead one left to be sent, one sends it', async () => {
  await using place = makeRpcPlace()
  const start = async () => {
    const server = startServer(dirname(place.home), ['--allow-all'], { REPRISE_HOME: place.home })
    const client = await connectClient(server.stdout!, server.stdin!)
    return { ...client, gone: once(server, 'exit') }
  }
  const both = await Promise.all([start(), start()])
  const [one] = both
  const { sessionId } = await one.request<{ sessionId: string }>('session/new', {
    cwd: place.project,
    mcpServers: [],
  })
  const say = ({ request }: typeof one, text: string) =>
    request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  await say(one, 'one')
  await one.request('session/close', { sessionId })
  const folder = join(place.home, 'session-state', sessionId)
  const messages = ['two', 'three'].map((prompt) => ({ prompt, messageId: `m-${prompt}` }))
  const left = JSON.stringify({ version: 1, owner: null, messages })
  writeFileSync(join(folder, '.reprise/queue.json'), left)

  const params = { sessionId, cwd: place.project, mcpServers: [] }
  await Promise.all(both.map(({ request }) => request('session/load', params)))
  const told = both.map(({ until }) =>
    until((update) => JSON.stringify(update).includes('"three"')),
  )
  await Promise.all(both.map((each) => say(each, '/queue release')))
  await Promise.all(told)
  await say(one, 'last')
  for (const each of both) each.leave()
  await Promise.all(both.map(({ gone }) => gone))
  const sent = readFileSync(join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told)
    .flatMap(({ type, data }) => (type === 'user.message' ? [data['content']] : []))
  assert.deepEqual(sent, ['one', 'two', 'three', 'last'])
})
