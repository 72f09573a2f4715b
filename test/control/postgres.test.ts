/** PostgreSQL, a real one. Without one on the machine this half of the contract is skipped, by name. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setImmediate as giveWay } from 'node:timers/promises'
import { checkClock } from '../../src/control/clock.ts'
import { openPostgres } from '../../src/control/postgres/open.ts'
import { createStream } from '../../src/control/streams/create.ts'
import { groupAppends } from '../../src/control/streams/group.ts'
import { openTail } from '../../src/control/streams/tail.ts'
import { openHeldProxy } from '../support/held-proxy.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { cannotPostgres } from '../support/postgres-programs.ts'
import { describeDatabase } from './database.contract.ts'
import { describeDerived } from './derived.contract.ts'
import { describeIsolation } from './isolation.contract.ts'
import { describeKeeping } from './keeping.contract.ts'
import { begin, describeLive, until } from './live.contract.ts'
import { clientOf, event, startNode } from './node.ts'
import { describeObjects } from './objects.contract.ts'

/** What a PostgreSQL says that is not ready yet: severity, code, words. */
const WORDS = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0'
const STARTS = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(WORDS)])
STARTS.writeInt32BE(STARTS.length - 1, 1)

async function listenRaw(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listening.close()
    },
  }
}

const fail = (message: unknown) => assert.fail(String(message))

describe('PostgreSQL', { skip: cannotPostgres }, () => {
  let server: TestPostgres
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())
  const open = async (url: string, notify = true) =>
    openPostgres({ url, as: 'node', notify, onTrouble: fail })

  describeDatabase('PostgreSQL with NOTIFY', async () => open(await server.database()))
  describeDatabase('PostgreSQL without NOTIFY', async () => open(await server.database(), false))

  describeLive('PostgreSQL with NOTIFY', async () => startNode(await open(await server.database())))
  describeKeeping('PostgreSQL', async () => startNode(await open(await server.database())))
  describeObjects('PostgreSQL', async () => open(await server.database()))
  describeDerived('PostgreSQL', async () => startNode(await open(await server.database())))
  describeIsolation('PostgreSQL', async () => startNode(await open(await server.database())))
  describeLive('PostgreSQL without NOTIFY', async () =>
    startNode(await open(await server.database(), false), { lookMs: 100 }),
  )

  test('what is wanted on one node is done by a machine on another, and a screen on a third sees it', async () => {
    const url = await server.database()
    await using near = await startNode(await open(url), { lookMs: 60_000 })
    await using far = await startNode(await open(url), { lookMs: 60_000 })
    const ann = await near.person('ann')
    const machine = clientOf(far.url, ann.token, ann.person)
    const claim = await begin(machine, 'one')
    const screen = ann.frames('/api/sessions/one/live')
    await until(screen, ({ event: name }) => name === 'ready')
    const waits = machine.ask('POST', '/api/sessions/one/commands/claim', { wait: 20 })
    await ann.ask('POST', '/api/sessions/one/commands', {
      id: 'c1',
      kind: 'user_message',
      content: 'go',
    })
    const { commands } = (await waits).body as { commands: { id: string }[] }
    assert.deepEqual(
      commands.map(({ id }) => id),
      ['c1'],
    )
    const notices = [{ type: 'assistant.message_delta', data: { deltaContent: 'Hel' } }]
    await machine.ask('POST', '/api/sessions/one/notices', { notices })
    const told = await until(screen, ({ event: name }) => name === 'notice')
    assert.deepEqual(told.at(-1)?.data, notices[0])
    await machine.send(claim.stream, claim, 0, [event('e1', null)])
    const seen = await until(screen, ({ event: name }) => name === 'event')
    assert.equal(seen.at(-1)?.id, 'e1')
    await screen.return(undefined)
  })

  test('several nodes that start at once make the tables once', async () => {
    const url = await server.database()
    const nodes = await Promise.all([1, 2, 3].map(() => open(url)))
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })

  for (const notify of [true, false]) {
    test(`a reader on another node hears of an append, NOTIFY ${notify ? 'on' : 'off'}`, async () => {
      const url = await server.database()
      await using writer = await open(url, notify)
      await using reader = await open(url, notify)
      const made = await createStream(
        writer,
        { tenant: 'main', path: 'a', type: 'text/plain', close: false, records: [] },
        Date.now(),
      )
      assert.ok('stream' in made)
      // With NOTIFY the look by itself comes too late to be what is seen here.
      using tail = await openTail(reader, { everyMs: notify ? 60_000 : 50, onTrouble: fail })
      const heard = tail.changed(made.stream, AbortSignal.timeout(20_000))
      const group = groupAppends(writer, { now: Date.now, onGrown: (ids) => writer.wake(ids) })
      await group.append({
        tenant: 'main',
        path: 'a',
        type: 'text/plain',
        close: false,
        records: [{ bytes: Buffer.from('x') }],
      })
      const began = Date.now()
      await heard
      assert.ok(Date.now() - began < 15_000)
    })
  }

  test('connections that break at any moment leave nobody without an answer, and nothing half done', async () => {
    const url = new URL(await server.database())
    await using way = await openHeldProxy()
    way.lead(Number(url.port))
    url.port = String(way.port)
    await using db = await openPostgres({
      url: url.href,
      as: 'node',
      notify: false,
      onTrouble: fail,
    })
    let committed = 0
    const one = (round: number, at: number) =>
      db
        .transact(async (tx) => {
          const id = `${round}-${at}`
          for (const part of ['a', 'b'])
            await tx
              .insertInto('tenants')
              .values({ id: `${id}-${part}`, name: id, made: 0 })
              .execute()
        })
        .then(
          () => void (committed += 1),
          () => undefined,
        )
    const reads = () => db.query.selectFrom('tenants').select('id').execute()
    for (let round = 0; round < 40; round++) {
      const asked = Array.from({ length: 6 }, (_, at) => [one(round, at), reads().catch(() => [])])
      // Each round at another moment: what is asked while a connection ends is what went unanswered.
      for (let turn = 0; turn < round % 8; turn++) await giveWay()
      way.cut()
      await giveWay()
      asked.push([one(round, 6), reads().catch(() => [])])
      await Promise.all(asked.flat())
    }
    const names = Map.groupBy(
      await db.query.selectFrom('tenants').select(['id', 'name']).where('made', '=', 0).execute(),
      ({ name }) => name,
    )
    assert.deepEqual(
      [...names].filter(([, both]) => both.length !== 2),
      [],
      'half of a transaction is there',
    )
    assert.ok(names.size >= committed)
    assert.ok(committed > 0)
  })

  test('a host that starts up and one that is gone without a word do not hide the one that writes', async () => {
    const url = await server.database()
    await using silent = await listenRaw(() => {})
    await using starting = await listenRaw((socket) =>
      socket.once('data', () => socket.end(STARTS)),
    )
    const hosts = [starting, silent].map(({ port }) => `127.0.0.1:${port}`)
    await using db = await open(url.replace('@', `@${hosts.join(',')},`))
    assert.deepEqual(await db.query.selectFrom('people').select('id').execute(), [])
  })

  test('a node whose clock is not that of the database is not ready, and says why', async () => {
    await using db = await open(await server.database())
    await checkClock(db, Date.now)
    for (const wrongMs of [3_600_000, -60_000])
      await assert.rejects(
        checkClock(db, () => Date.now() + wrongMs),
        { code: 'unavailable', message: /differ by \d+ s\. Nothing was done; set the clock/ },
      )
  })

  test('a database that does not sync is refused', async () => {
    await using unsafe = await startPostgres({ settings: ['fsync=off'] })
    await assert.rejects(open(await unsafe.database()), {
      code: 'unavailable',
      message: /fsync=off/,
    })
  })
})
