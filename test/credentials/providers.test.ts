/**
 * A credential belongs to an origin and to the client that brought it: providers with every kind of credential, through
 * the real SDK and a real server, in every way in which one provider takes the place of another.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CopilotClient, CopilotSession, SessionConfig } from '@github/copilot-sdk'
import { makeRpcPlace, portOf } from '../rpc/place.ts'
import { Carrier, base, kinds, providerOf, type Kind } from './kinds.ts'
import { startRecorder, word, type Recorder } from './recorder.ts'

const TOKEN = 'the-door'
const OF_ONE_CLIENT = ['create', 'change of model', 'change of URL']

type Case = {
  readonly name: string
  readonly kind: Kind
  readonly red: Recorder
  readonly blue: Recorder
  /** Connections to one server. The guest brings no provider, and could carry every request. */
  readonly clients: Readonly<Record<'red' | 'blue' | 'guest', CopilotClient>>
}

const say = async (session: CopilotSession, { kind }: Case, owner = 'red') =>
  (await session.sendAndWait({ prompt: 'Hi', ...kind.message?.(owner) }))?.data.content

/** The client of the red one brings both, each with its own word. */
const both = ({ kind, red, blue }: Case): SessionConfig => ({
  ...base,
  providers: [
    { name: 'red', ...providerOf(kind, 'red', red.baseUrl) },
    { name: 'blue', ...providerOf(kind, 'blue', blue.baseUrl) },
  ],
  models: [
    { id: 'm1', provider: 'red' },
    { id: 'm2', provider: 'blue' },
  ],
})

const one = ({ kind }: Case, owner: string, { baseUrl }: Recorder): SessionConfig => ({
  ...base,
  model: 'm',
  provider: providerOf(kind, owner, baseUrl),
})

/** Without any credential. */
const bare = ({ baseUrl }: Recorder): SessionConfig => ({
  ...base,
  model: 'm',
  provider: { type: 'openai', baseUrl },
})

/** What a provider hears when its own client speaks to it. */
const own = ({ name }: Case, owner: string) => [word(owner, name)]

const cases: Readonly<Record<string, (it: Case) => Promise<void>>> = {
  async create(it) {
    const { clients, red, blue } = it
    const session = await clients.red.createSession({ ...both(it), model: 'blue/m2' })
    assert.equal(await say(session, it, 'blue'), 'answer of blue')
    assert.equal(red.count, 0)
    assert.deepEqual(blue.heard(), own(it, 'blue'))
  },
  async 'change of model'(it) {
    const { clients, red, blue } = it
    const session = await clients.red.createSession({ ...both(it), model: 'red/m1' })
    await say(session, it, 'red')
    await session.setModel('blue/m2')
    await say(session, it, 'blue')
    await session.setModel('red/m1')
    await say(session, it, 'red')
    assert.deepEqual(red.heard(), own(it, 'red'))
    assert.deepEqual(blue.heard(), own(it, 'blue'))
  },
  async resume(it) {
    const { clients, red, blue } = it
    const session = await clients.red.createSession(one(it, 'red', red))
    await say(session, it, 'red')
    assert.deepEqual(red.heard(), own(it, 'red'))
    const again = await clients.blue.resumeSession(session.sessionId, one(it, 'blue', blue))
    await say(again, it, 'blue')
    assert.deepEqual(blue.heard(), own(it, 'blue'))
    assert.equal(red.count, 0)
  },
  async 'change of URL'(it) {
    const { clients, red, blue } = it
    const session = await clients.red.createSession(one(it, 'red', red))
    await say(session, it, 'red')
    const again = await clients.red.resumeSession(session.sessionId, bare(blue))
    assert.equal((await again.sendAndWait('Hi'))?.data.content, 'answer of blue')
    assert.deepEqual(blue.heard(), [])
  },
  async join(it) {
    const { clients, red } = it
    const session = await clients.red.createSession(one(it, 'red', red))
    const joined = await clients.guest.resumeSession(session.sessionId, base)
    await joined.sendAndWait('Hi')
    await say(session, it, 'red')
    assert.deepEqual(red.heard(), own(it, 'red'))
  },
  async redirect(it) {
    const { clients, red, blue } = it
    red.redirectTo(blue.baseUrl)
    const session = await clients.red.createSession(one(it, 'red', red))
    await assert.rejects(say(session, it, 'red'), /sends on to/)
    assert.deepEqual(red.heard(), own(it, 'red'))
    assert.equal(blue.count, 0)
  },
}

for (const [name, kind] of Object.entries(kinds))
  test(`${name}: each provider hears its own word and no other`, async (t) => {
    await using place = makeRpcPlace()
    const carrying = (owner: string) => {
      const requestHandler = new Carrier(owner)
      return { requestHandler }
    }
    const isCarried = kind.isOfClient === true
    const first = place.tcpClient(TOKEN, isCarried ? carrying('red') : {})
    await first.start()
    const second = place.join(portOf(first), TOKEN, isCarried ? carrying('blue') : {})
    const third = carrying('green')
    const guest = place.join(portOf(first), TOKEN, third)
    const clients = { red: first, blue: second, guest }
    for (const [way, run] of Object.entries(cases)) {
      // One client has one of these, for all that it brings.
      if (isCarried && OF_ONE_CLIENT.includes(way)) continue
      await t.test(way, async () => {
        await using red = await startRecorder('red')
        await using blue = await startRecorder('blue')
        await run({ name, kind, red, blue, clients })
        assert.deepEqual(third.requestHandler.seen, [])
      })
    }
  })
