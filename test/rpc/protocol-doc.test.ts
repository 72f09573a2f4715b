/** docs/protocol.md: its example runs, its tables are those of the code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { protocolReference, rpcSchema } from '../../scripts/generate-protocol-doc.ts'
import { defaultLimits } from '../../src/surfaces/rpc/limits.ts'
import { methods } from '../../src/surfaces/rpc/methods.ts'
import { makeRpcPlace } from './place.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const text = readFileSync(join(root, 'docs/protocol.md'), 'utf8')

test('the example of the document runs and prints what it should', async () => {
  await using place = makeRpcPlace()
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
  writeFileSync(join(place.project, 'example.mts'), example)
  symlinkSync(join(root, 'node_modules'), join(place.project, 'node_modules'))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mts'], {
    cwd: place.project,
    encoding: 'utf8',
    env: { ...place.env, COPILOT_CLI_PATH: place.path, EXAMPLE_HOME: place.home },
  })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /hello/)
  assert.equal(stdout.trim().split('\n').at(-1), 'session.start')
})

test('every method is in the document and in the schema', () => {
  assert.ok(text.includes(protocolReference()))
  assert.equal(readFileSync(join(root, 'schema/rpc.schema.json'), 'utf8'), rpcSchema())
  // What is derived from the operations stands in their own document.
  const named = Object.keys(methods).filter((name) => !name.startsWith('reprise.session.'))
  for (const name of named) assert.ok(text.includes(`\`${name}\``), name)
})

test('the limits of the document are those of the code', () => {
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`
  const { maxFrameBytes, maxAnswerBytes, maxRequests, maxConnections } = defaultLimits
  const limits = text.slice(text.indexOf('## Limits'))
  for (const limit of [
    mebibytes(maxFrameBytes),
    mebibytes(maxAnswerBytes),
    maxRequests,
    maxConnections,
  ])
    assert.ok(limits.includes(String(limit)), String(limit))
})
