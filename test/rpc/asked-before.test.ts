/** A program decides about each call before it is made, in the names of the Copilot CLI. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PermissionRequest } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { makeRpcPlace } from './place.ts'

const SERVER = new URL('../model-server/mcp-server.ts', import.meta.url).pathname

test('a client is asked before a file of the project is read, and tools of servers have their full name', async () => {
  await using place = makeRpcPlace()
  const path = join(place.project, 'a.txt')
  writeFileSync(path, 'apple\n')
  await using model = await startModelServer([
    { calls: [{ name: 'view', arguments: { path } }] },
    { calls: [{ name: 'grep', arguments: { pattern: 'apple', path } }] },
    { calls: [{ name: 'calc-echo', arguments: { text: 'x' } }] },
    { text: 'ok' },
    { calls: [{ name: 'view', arguments: { path } }] },
    { text: 'ok' },
  ])
  const asked: PermissionRequest[] = []
  const session = await place.client().createSession({
    model: 'test-model',
    provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
    mcpServers: {
      calc: { type: 'local', command: process.execPath, args: [SERVER], tools: ['*'] },
    },
    onPermissionRequest: (request) => {
      asked.push(request)
      return request.kind === 'read' && request.intention.startsWith('Read')
        ? { kind: 'reject', feedback: 'not this one' }
        : { kind: 'approve-once' }
    },
  })
  const idle = new Promise<unknown>((resolve) =>
    session.on('session.idle', ({ data }) => resolve(data.mode)),
  )
  await session.sendAndWait('look')
  assert.equal(await idle, 'interactive')
  assert.deepEqual(
    asked.map((request) => [request.kind, 'toolName' in request ? request.toolName : undefined]),
    [
      ['read', undefined],
      ['read', undefined],
      ['mcp', 'calc-echo'],
    ],
  )
  assert.match(JSON.stringify(model.requests[1]?.body), /not this one/)
  await session.rpc.permissions.setApproveAll({ enabled: true })
  await session.sendAndWait('again')
  assert.equal(asked.length, 3)
})
