/** A program that writes its requests and ends its output, as `printf … | reprise acp` does, gets every answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentLength } from '../../src/lib/json-rpc/content-length.ts'
import { lines } from '../../src/lib/json-rpc/lines.ts'
import { makePlace } from './cli.ts'

const options = { timeout: 60_000 }
type Answer = { readonly id?: number; readonly result?: { readonly sessions?: readonly unknown[] } }

const servers = {
  acp: {
    framing: lines,
    args: ['acp'],
    calls: [
      ['initialize', { protocolVersion: 1, clientCapabilities: {} }],
      ['session/list', {}],
    ],
  },
  'JSON-RPC': {
    framing: contentLength,
    args: ['--server', '--stdio'],
    calls: [
      ['connect', {}],
      ['session.list', {}],
    ],
  },
} as const

for (const [name, { framing, args, calls }] of Object.entries(servers)) {
  test(`${name}: what was asked before the input ended is answered`, options, async () => {
    using place = makePlace()
    await place.session('hello')
    const input = calls.map(([method, params], id) =>
      framing.encode({ jsonrpc: '2.0', id, method, params }).toString(),
    )
    const { code, stdout } = await place.run(args, { input: input.join('') })
    assert.equal(code, 0)
    const answers = [...framing.openReader(1 << 24).push(Buffer.from(stdout))]
      .map((text) => JSON.parse(text) as Answer)
      .filter(({ id }) => id !== undefined)
    assert.deepEqual(
      answers.map(({ id }) => id),
      [0, 1],
    )
    assert.equal(answers[1]?.result?.sessions?.length, 1)
  })
}
