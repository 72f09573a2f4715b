import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { contentLength } from './content-length.ts'
import { RpcFailure } from './failure.ts'
import { lines } from './lines.ts'
import { openPeer, type Handlers, type PeerLimits } from './peer.ts'

type Heard = Readonly<Record<string, unknown>>

for (const [name, framing] of Object.entries({ lines, contentLength })) {
  /** A peer whose other side is played by hand. */
  const open = (handlers: Partial<Handlers> = {}, limits: PeerLimits = {}) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const heard: Heard[] = []
    const reader = framing.openReader(1 << 30)
    let wake = () => {}
    output.on('data', (chunk: Buffer) => {
      for (const text of reader.push(chunk)) heard.push(JSON.parse(text) as Heard)
      wake()
    })
    const peer = openPeer(
      { input, output },
      framing,
      { request: async (method, params) => ({ method, params }), ...handlers },
      limits,
    )
    const come = async (count: number) => {
      while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve))
      return heard
    }
    /** Text as it is, anything else as JSON. */
    const say = (...messages: readonly unknown[]) => {
      for (const message of messages) input.write(encoded(message))
    }
    return { input, output, peer, heard, come, say }
  }
  const encoded = (message: unknown): Buffer => {
    if (typeof message !== 'string') return framing.encode(message)
    const bytes = framing.encode('x'.repeat(message.length - 2)).toString()
    return Buffer.from(bytes.replace(/"x*"/, () => message))
  }
  const codeOf = ({ error }: Heard) => (error as { code: number } | undefined)?.code
  const cancel = (id: number | string) => ({
    jsonrpc: '2.0',
    method: framing.cancel.method,
    params: { [framing.cancel.field]: id },
  })

  describe(`JSON-RPC in frames of ${name}`, () => {
    it('gives every request one answer, also when it comes in pieces', async () => {
      const { input, come } = open()
      const bytes = Buffer.concat([
        framing.encode({ id: 1, method: 'é\u2028' }),
        framing.encode({ id: 'b', method: 'x', params: [1] }),
      ])
      for (const byte of bytes) input.write(Buffer.of(byte))
      assert.deepEqual(await come(2), [
        { jsonrpc: '2.0', id: 1, result: { method: 'é\u2028' } },
        { jsonrpc: '2.0', id: 'b', result: { method: 'x', params: [1] } },
      ])
    })

    it('answers what is no message with an error', async () => {
      const { say, come } = open()
      say('{x', '[]', '77', '{"id":1}', '{"id":{},"method":"x"}', '{"id":null,"method":"x"}')
      say({ id: 99, result: 'to nothing' }, { method: 'a notification that nobody hears' })
      say({ id: 2, method: 'last' })
      assert.deepEqual(
        (await come(7)).map((each) => [each['id'], codeOf(each)]),
        [
          [null, -32700],
          [null, -32600],
          [null, -32600],
          [1, -32600],
          [null, -32600],
          [null, -32600],
          [2, undefined],
        ],
      )
    })

    it('tells what is no message here, when that is wanted, and hears what comes next', async () => {
      const told: unknown[] = []
      const { say, heard, input } = open({
        odd: (text, why) => void told.push([why, text]),
        notification: (method, params) => void told.push([method, params]),
      })
      say('warning: hot', '"text"', '{"id":9,"result":1}', { method: 'next', params: {} })
      await new Promise((resolve) => input.end(resolve))
      await new Promise(setImmediate)
      assert.deepEqual(told, [
        ['not JSON', 'warning: hot'],
        ['not an object', '"text"'],
        ['an answer to nothing that was asked', '{"id":9,"result":1}'],
        ['next', {}],
      ])
      assert.deepEqual(heard, [])
    })

    it('tells a failure with its code and a surprise as internal', async () => {
      const { say, come } = open({
        request: async (method) => {
          throw method === 'known' ? new RpcFailure(-32002, 'gone', { a: 1 }) : new Error('oops')
        },
        failure: (method) => (method === 'named' ? new RpcFailure(7, 'by its name') : undefined),
      })
      for (const [id, method] of ['known', 'named', 'other'].entries()) say({ id, method })
      assert.deepEqual(
        (await come(3)).map(({ error }) => error),
        [
          { code: -32002, message: 'gone', data: { a: 1 } },
          { code: 7, message: 'by its name' },
          { code: -32603, message: 'oops' },
        ],
      )
    })

    it('refuses an answer that is too large', async () => {
      const { say, come } = open({}, { maxAnswerBytes: 200 })
      say({ id: 1, method: 'x'.repeat(200) }, { id: 2, method: 'y' })
      assert.deepEqual((await come(2)).map(codeOf), [-32603, undefined])
    })

    it('carries questions the other way, and takes them back', async () => {
      const { peer, say, come } = open()
      const answered = peer.request('ask', { a: 1 })
      await come(1)
      say({ id: 1, result: 'yes', error: null })
      assert.equal(await answered, 'yes')
      const refused = peer.request('ask', {})
      say({ id: 2, error: { code: 7, message: 'no', data: { b: 2 } } })
      await assert.rejects(refused, new RpcFailure(7, 'no', { b: 2 }))
      const stop = new AbortController()
      const withdrawn = peer.request('ask', {}, stop.signal)
      stop.abort()
      await assert.rejects(withdrawn, { code: -32800 })
      await assert.rejects(peer.request('never sent', {}, stop.signal), { code: -32800 })
      assert.deepEqual((await come(4)).slice(2), [
        { jsonrpc: '2.0', id: 3, method: 'ask', params: {} },
        cancel(3),
      ])
    })

    it('hears what comes before an answer before it', async () => {
      const told: string[] = []
      const { peer, say } = open({ notification: (method) => void told.push(method) })
      const asked = peer.request('x', {}).then(() => [...told])
      say({ method: 'early' }, { id: 1, result: {} })
      assert.deepEqual(await asked, ['early'])
    })

    it('lets the other side cancel what is being served', async () => {
      const { say, come } = open({
        request: (method, _params, cancelled) =>
          new Promise((resolve, reject) =>
            cancelled.addEventListener('abort', () =>
              method === 'polite' ? resolve('stopped') : reject(new Error('torn')),
            ),
          ),
      })
      say({ id: 5, method: 'polite' }, { id: 6, method: 'rude' }, { id: 5, method: 'the same id' })
      say(cancel(5), cancel(6), { ...cancel(7), params: null })
      assert.deepEqual(
        (await come(3)).map((each) => each['result'] ?? codeOf(each)),
        [-32600, 'stopped', -32800],
      )
    })

    it('lets requests wait when there are many, and still takes answers for those before them', async () => {
      const { peer, say, come } = open(
        { request: (method) => (method === 'ask' ? peer.request('which', {}) : ok(method)) },
        { maxRequests: 1 },
      )
      const ok = (method: string) => Promise.resolve(method)
      say({ id: 'a', method: 'ask' }, { id: 'b', method: 'next' }, { id: 'c', method: 'gone' })
      say(cancel('c'))
      await come(1)
      say({ id: 1, result: 'this' })
      assert.deepEqual(
        (await come(4)).slice(1).map((each) => [each['id'], each['result'] ?? codeOf(each)]),
        [
          ['a', 'this'],
          ['b', 'next'],
          ['c', -32800],
        ],
      )
    })

    it('refuses requests when too many wait', async () => {
      const { say, come } = open({ request: () => new Promise(() => {}) }, { maxRequests: 1 })
      for (let id = 0; id <= 1001; id += 1) say({ id, method: 'x' })
      assert.deepEqual(
        (await come(1)).map((each) => [each['id'], codeOf(each)]),
        [[1001, -32603]],
      )
    })

    it('ends with what waits when the other side goes', async () => {
      const { peer, input } = open()
      const waiting = peer.request('ask', {})
      input.end()
      await assert.rejects(waiting, { code: 'ENOTCONN', message: 'The input ended.' })
      assert.deepEqual([(await peer.ended).message, peer.isClosed], ['The input ended.', true])
      await assert.rejects(peer.request('y', {}), /closed/)
    })

    it('answers what was asked before the other side said its last word', async () => {
      const gate = Promise.withResolvers<string>()
      const { peer, input, say, come } = open(
        { request: () => gate.promise },
        { lastAnswersMs: 600_000 },
      )
      say({ id: 1, method: 'slow' }, { id: 2, method: 'slow' })
      input.end()
      input.once('close', () => gate.resolve('done'))
      assert.equal((await peer.ended).message, 'The input ended.')
      assert.deepEqual(
        (await come(2)).map(({ id, result }) => [id, result]),
        [
          [1, 'done'],
          [2, 'done'],
        ],
      )
    })

    it('tells what takes too long for that to end, and says how it ended', async () => {
      const { peer, input, say, come } = open(
        {
          request: (_method, _params, cancelled) =>
            new Promise((resolve) => cancelled.addEventListener('abort', () => resolve('ended'))),
        },
        { lastAnswersMs: 1, maxRequests: 1 },
      )
      say({ id: 1, method: 'runs' }, { id: 2, method: 'waits' })
      input.end()
      assert.equal((await peer.ended).message, 'The input ended.')
      assert.deepEqual(
        (await come(2)).map((each) => each['result'] ?? codeOf(each)),
        ['ended', -32800],
      )
    })

    it('waits for no answer that hangs on a word of the side that has gone', async () => {
      const { peer, input, say, come } = open(
        { request: () => peer.request('which', {}) },
        { lastAnswersMs: 600_000 },
      )
      say({ id: 'a', method: 'asks at once' })
      await come(1)
      input.end()
      assert.equal((await peer.ended).message, 'The input ended.')

      const gate = Promise.withResolvers<void>()
      const later = open(
        { request: () => gate.promise.then(() => later.peer.request('which', {})) },
        { lastAnswersMs: 600_000 },
      )
      later.say({ id: 'a', method: 'asks late' })
      later.input.end()
      later.input.once('close', gate.resolve)
      assert.equal((await later.peer.ended).message, 'The input ended.')
      assert.deepEqual(later.heard, [])
    })

    it('ends when it is sent too much, with a word about it', async () => {
      const { peer, say, come } = open({}, { maxFrameBytes: 100 })
      say({ id: 1, method: 'x' }, { id: 2, method: 'x'.repeat(100) }, { id: 3, method: 'unheard' })
      assert.match((await peer.ended).message, /100 bytes/)
      assert.deepEqual((await come(1)).map(codeOf), [-32700])
    })

    it('gives up a side that does not read', async () => {
      const { peer, output } = open({}, { maxBacklogBytes: 200_000 })
      output.pause()
      for (let round = 0; round < 10; round += 1) peer.notify('x', { text: 'x'.repeat(50_000) })
      assert.deepEqual(
        [(await peer.ended).message, output.destroyed],
        ['The other side does not read.', true],
      )
    })

    it('waits for a slow reader, and no longer than there is one', async () => {
      const { peer, output } = open()
      output.pause()
      peer.notify('x', { text: 'x'.repeat(100_000) })
      let isReady = false
      const ready = peer.ready().then(() => (isReady = true))
      await new Promise(setImmediate)
      assert.equal(isReady, false)
      output.resume()
      await ready
      output.pause()
      peer.notify('x', { text: 'x'.repeat(100_000) })
      const last = peer.ready()
      peer.close('It is over.')
      await last
      await peer.ready()
    })
  })
}
