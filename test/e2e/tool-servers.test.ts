/** A tool server that cannot be used is said: in the turn, in the log, by `doctor` and by `reprise servers`. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { makePlace, type Place } from './cli.ts'

const env = { REPRISE_AGENT: 'model', MOCK_KEY: 'not-a-key' }
const node = (script: string) => ({ command: process.execPath, args: ['-e', script] })
const good = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../model-server/mcp-server.ts')],
  env: { NODE_NO_WARNINGS: '1' },
}

function configure(place: Place, baseUrl: string, mcpServers: object): void {
  const model = { provider: 'openai-compatible', baseUrl, name: 'mock', apiKeyEnv: 'MOCK_KEY' }
  mkdirSync(join(place.home, '.reprise'), { recursive: true })
  writeFileSync(join(place.home, '.reprise/config.json'), JSON.stringify({ model, mcpServers }))
}

test('each server that cannot be used is named once in the turn, with the reason, and the turn goes on', async () => {
  using place = makePlace()
  await using model = await startModelServer(() => ({ text: 'Yes.' }))
  const closed = await closedPort()
  configure(place, model.baseUrl, {
    missing: { command: 'nosuchprogram' },
    ends: node('console.error("no key given"); process.exit(3)'),
    garbage: node('console.log("hello"); process.stdin.resume(); setTimeout(process.exit, 500)'),
    refused: { url: `http://127.0.0.1:${closed}/mcp` },
    good,
  })
  const id = crypto.randomUUID()
  const { code, stderr, stdout } = await place.run(['-r', id, '-p', 'go'], { env })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Yes\./)
  const rest = ' The turn goes on without its tools; /mcp tells how the servers are.'
  const said = [
    'The tool server missing did not start: the program "nosuchprogram" is not found.',
    'The tool server ends did not start: it ended at once, or does not speak the protocol. It said: no key given.',
    'The tool server garbage did not start: it ended at once, or does not speak the protocol.',
    `The tool server refused did not start: connection refused: 127.0.0.1:${closed}.`,
  ]
  for (const each of said) assert.ok(stderr.includes(each + rest), `${each}\n${stderr}`)
  const log = readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
  const warnings = log.split('\n').filter((line) => line.includes('"session.warning"'))
  assert.deepEqual(warnings.map(messageOf).sort(), said.map((each) => each + rest).sort())
})

const messageOf = (line: string) => (JSON.parse(line) as { data: { message: string } }).data.message

test('servers are tried one and all, also one that says nothing, and each says how it is', async () => {
  using place = makePlace()
  const wants = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
  const url = () => `http://127.0.0.1:${(wants.address() as AddressInfo).port}/mcp`
  await new Promise((resolve) => wants.once('listening', resolve))
  configure(place, 'http://127.0.0.1:1', {
    good,
    away: { ...good, enabled: false },
    hangs: node('process.stdin.resume()'),
    locked: { url: url() },
    missing: { command: 'nosuchprogram' },
  })
  type Server = { name: string; status: string; tools: readonly string[]; error?: string }
  const { servers } = await place.json<{ servers: readonly Server[] }>(['servers'])
  wants.close()
  assert.deepEqual(
    servers.map(({ name, status, tools }) => ({ name, status, tools })),
    [
      { name: 'good', status: 'connected', tools: ['die', 'echo', 'fail.loudly'] },
      { name: 'away', status: 'off', tools: [] },
      { name: 'hangs', status: 'failed', tools: [] },
      { name: 'locked', status: 'needs-auth', tools: [] },
      { name: 'missing', status: 'failed', tools: [] },
    ],
  )
  const errorOf = (name: string) => servers.find((each) => each.name === name)?.error
  assert.equal(errorOf('hangs'), 'The tool server hangs did not start: it does not answer.')
  const doctor = await place.run(['doctor'])
  assert.match(doctor.stdout, /tool server missing cannot come up: the program "nosuchprogram" is/)
  assert.doesNotMatch(doctor.stdout, /tool server (?:good|hangs|away)/)
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
