import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { RpcFailure } from '../../lib/rpc-lines.ts'
import { connect } from './connection.ts'
import type { Connection, Listener } from './connection.ts'
import type { Raw } from './raw.ts'

/** A connection whose other side is played by hand. */
function open(listener: Partial<Listener> = {}, options = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const heard: unknown[] = []
  const connection: Connection = connect(
    { input, output },
    {
      request: () => Promise.resolve({}),
      notification: (method, params) => void heard.push([method, params]),
      oddLine: (line, why) => void heard.push([why, line]),
      closed: (reason) => void heard.push(reason),
      ...listener,
    },
    options,
  )
  const receive = (bytes: string | Buffer) => void input.emit('data', Buffer.from(bytes))
  let text = ''
  output.on('data', (chunk) => (text += String(chunk)))
  const sent = async (count: number): Promise<Raw[]> => {
    while (text.split('\n').length <= count) await once(output, 'data')
    const lines = text.trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line) as Raw)
  }
  return { connection, heard, receive, sent }
}

test('messages are split on the newline byte alone, wherever the chunks end', () => {
  const { heard, receive } = open()
  const text = `{"method":"a","params":{"t":"é\u2028\u2029x"}}\n{"method":"b"}\n`
  for (const byte of Buffer.from(text)) receive(Buffer.from([byte]))
  assert.deepEqual(heard, [
    ['a', { t: 'é\u2028\u2029x' }],
    ['b', {}],
  ])
})

test('an answer goes to whoever asked, an error with its code and data', async () => {
  const { connection, receive, sent } = open()
  const [first, second] = [connection.request('x', {}), connection.request('y', { a: 1 })]
  assert.deepEqual(await sent(2), [
    { jsonrpc: '2.0', id: 1, method: 'x', params: {} },
    { jsonrpc: '2.0', id: 2, method: 'y', params: { a: 1 } },
  ])
  receive(
    '{"id":2,"error":{"code":-32002,"message":"gone","data":{"b":2}}}\n{"id":1,"result":null}\n',
  )
  assert.equal(await first, null)
  await assert.rejects(second, new RpcFailure(-32002, 'gone', { b: 2 }))
})

test('what comes before an answer is heard before it', async () => {
  const { connection, heard, receive } = open()
  const asked = connection.request('x', {}).then(() => [...heard])
  receive('{"method":"early"}\n{"id":1,"result":{}}\n')
  assert.deepEqual(await asked, [['early', {}]])
})

test('a request is answered with its result, or with the code of what went wrong', async () => {
  const { receive, sent } = open({
    request: (method) =>
      method === 'good'
        ? Promise.resolve({ ok: true })
        : Promise.reject(method === 'bad' ? new RpcFailure(-32001, 'no') : new Error('broken')),
  })
  receive('{"id":"a","method":"good"}\n{"id":0,"method":"bad"}\n{"id":7,"method":"ugly"}\n')
  assert.deepEqual(await sent(3), [
    { jsonrpc: '2.0', id: 'a', result: { ok: true } },
    { jsonrpc: '2.0', id: 0, error: { code: -32001, message: 'no' } },
    { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'broken' } },
  ])
})

test('a request that the other side gives up is told to whoever serves it', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const { receive } = open({
    request: (_method, _params, cancelled) =>
      new Promise(() => cancelled.addEventListener('abort', () => resolve(cancelled.aborted))),
  })
  receive('{"id":5,"method":"slow"}\n{"method":"$/cancel_request","params":{"requestId":5}}\n')
  assert.equal(await promise, true)
})

test('lines that are no messages are told and skipped', () => {
  const { heard, receive } = open()
  receive('warning: hot\n\n"text"\n{"id":9,"result":1}\n{"method":"next"}\n')
  assert.deepEqual(heard, [
    ['not JSON', 'warning: hot'],
    ['not an object', '"text"'],
    ['an answer to nothing that was asked', '{"id":9,"result":1}'],
    ['next', {}],
  ])
})

test('a message beyond the limit closes the connection, and whoever waits is told', async () => {
  const { connection, heard, receive } = open({}, { maxFrameBytes: 10 })
  const asked = connection.request('x', {})
  receive('{"aaaa')
  receive('aaaaaaaa')
  await assert.rejects(asked, /more than 10 bytes/)
  assert.deepEqual([connection.isClosed, heard], [true, ['A message has more than 10 bytes.']])
  await assert.rejects(connection.request('y', {}), /closed/)
})
