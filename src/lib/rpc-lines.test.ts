import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { RpcFailure, serveLines } from './rpc-lines.ts'
import type { LineHandlers, LineLimits } from './rpc-lines.ts'

type Heard = Readonly<Record<string, unknown>>

function open(handlers: Partial<LineHandlers> = {}, limits: LineLimits = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const heard: Heard[] = []
  const closed: string[] = []
  let wake = () => {}
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trimEnd().split('\n')) heard.push(JSON.parse(line) as Heard)
    wake()
  })
  const peer = serveLines(
    { input, output },
    {
      request: async (method, params) => ({ method, params }),
      notification: () => {},
      closed: (reason) => void closed.push(reason),
      ...handlers,
    },
    limits,
  )
  const come = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve))
    return heard
  }
  const say = (message: unknown) => void input.write(`${JSON.stringify(message)}\n`)
  return { input, output, peer, heard, closed, come, say }
}

describe('lines of JSON-RPC', () => {
  it('give every request one answer, also when it comes in pieces', async () => {
    const { input, come } = open()
    const bytes = Buffer.from(
      '{"id":1,"method":"é\u2028"}\n\n{"id":"b","method":"x","params":[1]}\n',
    )
    for (const byte of bytes) input.write(Buffer.of(byte))
    assert.deepEqual(await come(2), [
      { jsonrpc: '2.0', id: 1, result: { method: 'é\u2028' } },
      { jsonrpc: '2.0', id: 'b', result: { method: 'x', params: [1] } },
    ])
  })

  it('answer what is no message with an error', async () => {
    const { input, come } = open()
    const bad = ['{', '[]', '7', '{"id":1}', '{"id":{},"method":"x"}', '{"id":null,"method":"x"}']
    input.write(`${bad.join('\n')}\n`)
    const codes = (await come(6)).map(({ id, error }) => [id, (error as { code: number }).code])
    assert.deepEqual(codes, [
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [1, -32600],
      [null, -32600],
      [null, -32600],
    ])
  })

  it('tell a failure with its code and a surprise as internal', async () => {
    const { say, come } = open({
      request: async (method) => {
        throw method === 'known' ? new RpcFailure(-32002, 'gone', { a: 1 }) : new Error('oops')
      },
    })
    say({ id: 1, method: 'known' })
    say({ id: 2, method: 'other' })
    assert.deepEqual(
      (await come(2)).map(({ error }) => error),
      [
        { code: -32002, message: 'gone', data: { a: 1 } },
        { code: -32603, message: 'oops' },
      ],
    )
  })

  it('carry questions the other way, and take them back', async () => {
    const { peer, say, come } = open()
    const answered = peer.request('ask', { a: 1 })
    await come(1)
    say({ id: 1, result: 'yes' })
    say({ id: 99, result: 'to nothing' })
    assert.equal(await answered, 'yes')
    const refused = peer.request('ask', {})
    say({ id: 2, error: { code: 7, message: 'no' } })
    await assert.rejects(refused, { code: 7, message: 'no' })
    const stop = new AbortController()
    const withdrawn = peer.request('ask', {}, stop.signal)
    stop.abort()
    await assert.rejects(withdrawn, { code: -32800 })
    assert.deepEqual((await come(4)).at(-1), {
      jsonrpc: '2.0',
      method: '$/cancel_request',
      params: { requestId: 3 },
    })
  })

  it('let the other side cancel what is being served', async () => {
    const { say, come } = open({
      request: (_method, _params, cancelled) =>
        new Promise((resolve) => cancelled.addEventListener('abort', () => resolve('stopped'))),
    })
    say({ id: 5, method: 'long' })
    say({ id: 5, method: 'the same id' })
    say({ method: '$/cancel_request', params: { requestId: 5 } })
    assert.deepEqual(
      (await come(2)).map(({ result, error }) => result ?? (error as { code: number }).code),
      [-32600, 'stopped'],
    )
  })

  it('end with what waits when the other side goes, sends too much, or does not read', async () => {
    const gone = open()
    const waiting = gone.peer.request('ask', {})
    gone.input.end()
    await assert.rejects(waiting, /input ended/)
    const loud = open({}, { maxLineBytes: 100 })
    loud.input.write('x'.repeat(101))
    await new Promise(setImmediate)
    const deaf = open({}, { maxUnreadBytes: 200_000 })
    deaf.output.pause()
    for (let round = 0; round < 10; round += 1) deaf.peer.notify('x', { text: 'x'.repeat(50_000) })
    assert.deepEqual(
      [gone.closed.length, loud.closed, deaf.closed, deaf.peer.isClosed],
      [1, ['A message has more than 100 bytes.'], ['The other side does not read.'], true],
    )
  })

  it('wait for a slow reader', async () => {
    const { peer, output } = open()
    output.pause()
    peer.notify('x', { text: 'x'.repeat(100_000) })
    let isReady = false
    const ready = peer.ready().then(() => (isReady = true))
    await new Promise(setImmediate)
    assert.equal(isReady, false)
    output.resume()
    await ready
  })
})
