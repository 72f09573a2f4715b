import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openDisk } from '../fs/disk.ts'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { selfIdentity } from '../lib/process-identity.ts'
import { startChild } from '../../test/lease/start-child.ts'
import { acquireLease, LeaseBusy, readLease, type LeaseOptions } from './lease.ts'
import type { Lease } from './lease-hold.ts'

const session = 'session-state/one'
const folder = `${session}/.reprise/lease`
const ignored = (): void => {}

const acquire = (fs: SessionFs, options: Partial<LeaseOptions> = {}): Promise<Lease> =>
  acquireLease(fs, session, { label: 'test', waitMs: 20_000, onRequest: ignored, ...options })

const names = async (fs: SessionFs): Promise<string[]> =>
  (await fs.list(folder)).map(({ name }) => name).sort()

describe('a lease in one process', () => {
  for (const [backend, open] of Object.entries({
    memory: () => openMemory(),
    disk: () => openDisk(home),
  })) {
    it(`is taken, held and given back (${backend})`, async () => {
      const fs = open()
      const lease = await acquire(fs)
      assert.deepEqual([lease.generation, lease.takenOver, await lease.holds()], [1, 'no', true])
      const { nonce, since, ...holder } = (await readLease(fs, session))!
      assert.deepEqual(holder, {
        ...selfIdentity(),
        generation: 1,
        label: 'test',
        takenOver: 'no',
        liveness: 'alive',
        alive: true,
      })
      assert.ok(nonce.length > 30 && Math.abs(Date.parse(since) - Date.now()) < 60_000)
      assert.equal(
        decode(await fs.read(`${session}/inuse.${process.pid}.lock`)),
        String(process.pid),
      )

      await lease.release()
      await lease.release()
      assert.deepEqual([await lease.holds(), await readLease(fs, session)], [false, undefined])
      assert.equal(await fs.stat(`${session}/inuse.${process.pid}.lock`), undefined)
      assert.deepEqual(await names(fs), ['0000000001.json', '0000000001.released'])
    })

    it(`that could not be given back is taken again at once by the process that had it (${backend})`, async () => {
      const fs = open()
      const first = await acquire(fs)
      const gone = () => Promise.reject(new Error('the files are gone'))
      const { createExclusive } = fs
      fs.createExclusive = gone
      await assert.rejects(first.release(), /files are gone/)
      fs.createExclusive = createExclusive
      assert.equal((await readLease(fs, session))?.alive, false)
      const second = await acquire(fs, { waitMs: 0 })
      assert.deepEqual([second.takenOver, await second.holds()], ['dead', true])
      assert.equal(await first.holds(), false)
      await second.release()
    })

    it(`is handed to a process that asks, and asked back (${backend}, format §10.3)`, async () => {
      const fs = open()
      let held = await acquire(fs, { onRequest: () => void held.release() })
      for (let generation = 2; generation <= 5; generation += 1) {
        const before = held
        const lease = await acquire(fs, { onRequest: () => void lease.release() })
        assert.deepEqual(
          [lease.generation, lease.takenOver, await before.holds()],
          [generation, 'no', false],
        )
        held = lease
      }
      await held.release()
      assert.deepEqual(await names(fs), [
        '0000000004.json',
        '0000000004.released',
        '0000000005.json',
        '0000000005.released',
      ])
    })

    it(`is refused with the name of a holder that stays busy (${backend}, format §10.4)`, async () => {
      const fs = open()
      await using lease = await acquire(fs, { label: 'the busy one' })
      await assert.rejects(acquire(fs, { waitMs: 50 }), (error) => {
        assert.ok(error instanceof LeaseBusy)
        assert.deepEqual(
          [error.holder.label, error.holder.pid, error.holder.generation],
          ['the busy one', process.pid, 1],
        )
        assert.match(error.message, /the busy one, pid \d+ .* Nothing was changed\./)
        return true
      })
      assert.deepEqual(await names(fs), ['0000000001.heartbeat', '0000000001.json'])
      assert.equal(await lease.holds(), true)
    })
  }

  it('is not disturbed by a request that was given up', async () => {
    const fs = openMemory()
    await using lease = await acquire(fs)
    const giveUp = new AbortController()
    const waiting = acquire(fs, { signal: giveUp.signal })
    const reason = new Error('changed my mind')
    giveUp.abort(reason)
    await assert.rejects(waiting, reason)
    assert.deepEqual(
      [await names(fs), await lease.holds()],
      [['0000000001.heartbeat', '0000000001.json'], true],
    )
  })

  it('goes to two that ask at once, one after the other, the first first', async () => {
    const fs = openMemory()
    const asked = Promise.withResolvers<void>()
    let requests = 0
    const held = await acquire(fs, { onRequest: () => (requests += 1) === 2 && asked.resolve() })
    const order: string[] = []
    const ask = async (name: string): Promise<void> => {
      await using lease = await acquire(fs, { limits: { courtesyMs: 10_000 } })
      order.push(`${name} ${lease.generation} ${await lease.holds()}`)
    }
    const first = ask('first')
    await nextMillisecond()
    const second = ask('second')
    await asked.promise
    assert.equal(held.isWanted(), true)
    await held.release()
    await Promise.all([first, second])
    assert.deepEqual(order, ['first 2 true', 'second 3 true'])
  })

  it('is left to one that waits before the last holder may have it again', async () => {
    const fs = openMemory()
    const asked = Promise.withResolvers<void>()
    const held = await acquire(fs, { onRequest: () => asked.resolve() })
    const patient = { limits: { courtesyMs: 10_000 } }
    const waiting = acquire(fs, { label: 'waiting', ...patient })
    await asked.promise
    await nextMillisecond()
    await held.release()
    const again = acquire(fs, { label: 'again', ...patient })
    const winner = await waiting
    assert.equal((await readLease(fs, session))?.label, 'waiting')
    await winner.release()
    await (await again).release()
    assert.equal(winner.generation, 2)
  })

  it('tells a new holder of requests that were there before it', async () => {
    const fs = openMemory()
    const first = await acquire(fs)
    const asked = Promise.withResolvers<string>()
    const second = acquire(fs, { onRequest: ({ label }) => asked.resolve(label) })
    await nextMillisecond()
    const third = acquire(fs, { label: 'third' })
    await first.release()
    assert.equal(await asked.promise, 'third')
    await (await second).release()
    await (await third).release()
  })

  it('is lost as soon as there is a next generation, or its own is gone or another (format §10.5)', async () => {
    const changes: ((fs: SessionFs, own: string) => Promise<unknown>)[] = [
      (fs) => fs.createExclusive(`${folder}/0000000002.json`, encodeText('{}')),
      (fs, own) => fs.remove(own),
      async (fs, own) => fs.writeAtomic(own, (await fs.read(own))!, { durable: false }),
    ]
    for (const change of changes) {
      const fs = openDisk(mkdtempSync(path.join(home, 'lost-')))
      const lease = await acquire(fs)
      await change(fs, `${folder}/0000000001.json`)
      assert.equal(await lease.holds(), false)
      await lease.release()
    }
  })

  it('is answered from a look that is young enough, where one is asked for', async () => {
    const fs = openMemory()
    const lease = await acquire(fs)
    assert.equal(await lease.holds(), true)
    await fs.createExclusive(`${folder}/0000000002.json`, encodeText('{}'))
    assert.deepEqual(
      [await lease.holds(60_000), await lease.holds(), await lease.holds(60_000)],
      [true, false, false],
    )
    await lease.release()
  })

  it('does not bring a deleted session back when it is given back late', async () => {
    const fs = openDisk(home)
    const lease = await acquire(fs)
    await fs.remove(session)
    await lease.release()
    assert.equal(await fs.stat(session), undefined)
  })

  it('gives a claim back that could not be made good', async () => {
    const fs = openMemory({ faults: [{ operation: 'write', nth: 1, code: 'ENOSPC' }] })
    await assert.rejects(acquire(fs), { code: 'ENOSPC' })
    assert.equal(await readLease(fs, session), undefined)
    await (await acquire(fs)).release()
  })
})

describe('a lease whose holder is gone', () => {
  const dead = { ...selfIdentity(), startTime: '1' }
  const elsewhere = { ...selfIdentity(), host: 'elsewhere' }
  const claimed = (identity: object): Uint8Array =>
    encodeText(
      JSON.stringify({ ...identity, nonce: 'n', since: new Date().toISOString(), label: 'gone' }),
    )

  it(
    'is taken at once when the pid belongs to a later process',
    { skip: process.platform !== 'linux' && 'no start times' },
    async () => {
      const fs = openMemory()
      await acquire(fs, { identity: dead })
      assert.equal((await readLease(fs, session))?.alive, false)
      await using lease = await acquire(fs, { waitMs: 0 })
      assert.deepEqual([lease.generation, lease.takenOver], [2, 'dead'])
    },
  )

  it('is taken at once from a holder that died between its claim and its first heartbeat', async () => {
    const fs = openMemory()
    await fs.createExclusive(`${folder}/0000000007.json`, claimed({ ...dead, bootId: 'earlier' }))
    await using lease = await acquire(fs, { waitMs: 0 })
    assert.deepEqual([lease.generation, lease.takenOver], [8, 'dead'])
  })

  it('passes on that a holder may still write, when the one that overtook it died first', async () => {
    const fs = openMemory()
    await fs.createExclusive(
      `${folder}/0000000002.json`,
      claimed({ ...dead, bootId: 'earlier', takenOver: 'live' }),
    )
    await using lease = await acquire(fs, { waitMs: 0 })
    assert.equal(lease.takenOver, 'live')
  })

  it('of another host is kept while its heartbeat moves, and overtaken after it stood still', async () => {
    const fs = openMemory()
    const beating = await acquire(fs, { identity: elsewhere, limits: { heartbeatMs: 10 } })
    const limits = { abandonedMs: 400, checkMs: 10 }
    await assert.rejects(acquire(fs, { waitMs: 1000, limits }), LeaseBusy)
    assert.equal((await readLease(fs, session))?.liveness, 'unknown')
    await beating.release()

    await acquire(fs, { identity: elsewhere, limits: { heartbeatMs: 1e9 } })
    await assert.rejects(acquire(fs, { waitMs: 50, limits }), LeaseBusy)
    await using lease = await acquire(fs, { limits })
    assert.equal(lease.takenOver, 'live')
  })

  it('and whose claim cannot be read is treated as one that cannot be seen', async () => {
    const fs = openMemory()
    await fs.createExclusive(`${folder}/0000000001.json`, encodeText('not a claim'))
    assert.deepEqual(
      [(await readLease(fs, session))?.liveness, (await readLease(fs, session))?.label],
      ['unknown', 'unknown'],
    )
    await using lease = await acquire(fs, { limits: { abandonedMs: 50, checkMs: 10 } })
    assert.deepEqual([lease.generation, lease.takenOver], [2, 'live'])
  })

  it('leaves no requests of the dead behind, and nobody yields to them', async () => {
    const fs = openMemory()
    const request = `request-${'1'.padStart(15, '0')}-dead.json`
    await fs.writeAtomic(`${folder}/${request}`, claimed({ ...dead, bootId: 'earlier' }), {
      durable: false,
    })
    let asked = 0
    await using lease = await acquire(fs, { waitMs: 0, onRequest: () => (asked += 1) })
    while ((await names(fs)).includes(request)) await new Promise(setImmediate)
    assert.deepEqual([asked, lease.isWanted()], [0, false])
  })
})

describe('a lease among processes (format §10.2)', () => {
  it('never has two holders, and everyone gets its turn', { timeout: 120_000 }, async () => {
    const file = path.join(home, 'shared')
    const children = await Promise.all(Array.from({ length: 16 }, () => startChild(home, session)))
    for (const [index, child] of children.entries()) {
      child.order({ do: 'turns', turns: 3, file, name: `child${index}` })
    }
    for (const child of children) {
      assert.deepEqual(await child.next('done', 'failed'), { told: 'done' })
      await child.end()
    }
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const turns = lines
      .filter((_, index) => index % 2 === 0)
      .map((line) => line.slice('begin '.length))
    assert.deepEqual(
      lines,
      turns.flatMap((turn) => [`begin ${turn}`, `end ${turn}`]),
    )
    const expected = children.flatMap((_, index) =>
      [0, 1, 2].map((turn) => `child${index} ${turn}`),
    )
    assert.deepEqual([...turns].sort(), expected.sort())
  })

  it('is taken at once from one that was killed', { timeout: 60_000 }, async () => {
    const fs = openDisk(home)
    const child = await startChild(home, session)
    child.order({ do: 'acquire', waitMs: 0, yields: false })
    assert.deepEqual(await child.next('acquired'), {
      told: 'acquired',
      generation: 1,
      takenOver: 'no',
    })
    await child.kill('SIGKILL')
    await using lease = await acquire(fs, { waitMs: 0 })
    assert.deepEqual([lease.generation, lease.takenOver], [2, 'dead'])
    assert.equal(await fs.stat(`${session}/inuse.${child.pid}.lock`), undefined)
  })

  it('is taken from one that is killed while another waits', { timeout: 60_000 }, async () => {
    const child = await startChild(home, session)
    child.order({ do: 'acquire', waitMs: 0, yields: false })
    await child.next('acquired')
    const waiting = acquire(openDisk(home))
    await child.next('asked')
    await child.kill('SIGKILL')
    await using lease = await waiting
    assert.equal(lease.takenOver, 'dead')
  })

  it('is handed over by an idle process, which can ask it back', { timeout: 60_000 }, async () => {
    const child = await startChild(home, session)
    child.order({ do: 'acquire', waitMs: 0, yields: true })
    await child.next('acquired')
    const lease = await acquire(openDisk(home), { onRequest: () => void lease.release() })
    assert.deepEqual([lease.generation, lease.takenOver], [2, 'no'])
    child.order({ do: 'holds' })
    assert.deepEqual(await child.next('holds'), { told: 'holds', holds: false })
    child.order({ do: 'acquire', waitMs: 20_000, yields: true })
    assert.deepEqual(await child.next('acquired', 'failed'), {
      told: 'acquired',
      generation: 3,
      takenOver: 'no',
    })
    assert.equal(await lease.holds(), false)
    await child.end()
  })

  it(
    'is overtaken from a frozen process, which finds out when it wakes',
    { timeout: 60_000, skip: process.platform === 'win32' && 'processes cannot be stopped' },
    async () => {
      const limits = { heartbeatMs: 20, frozenMs: 200, answerMs: 100, checkMs: 20 }
      const child = await startChild(home, session)
      child.order({ do: 'acquire', waitMs: 0, yields: false, limits })
      await child.next('acquired')
      child.signal('SIGSTOP')
      await using lease = await acquire(openDisk(home), { limits })
      assert.deepEqual([lease.generation, lease.takenOver], [2, 'live'])
      child.signal('SIGCONT')
      child.order({ do: 'holds' })
      assert.deepEqual(await child.next('holds'), { told: 'holds', holds: false })
      child.order({ do: 'release' })
      await child.next('released')
      assert.equal(await lease.holds(), true)
      await child.end()
    },
  )

  it(
    'is not overtaken from a busy process whose heartbeat is old but which answers requests',
    { timeout: 60_000 },
    async () => {
      const child = await startChild(home, session)
      child.order({ do: 'acquire', waitMs: 0, yields: false, limits: { heartbeatMs: 1e9 } })
      await child.next('acquired')
      const longAgo = new Date(Date.now() - 3600_000)
      utimesSync(path.join(home, folder, '0000000001.heartbeat'), longAgo, longAgo)
      const limits = { answerMs: 1000, checkMs: 20 }
      await assert.rejects(acquire(openDisk(home), { waitMs: 1300, limits }), LeaseBusy)
      child.order({ do: 'holds' })
      assert.deepEqual(await child.next('holds'), { told: 'holds', holds: true })
      await child.end()
    },
  )
})

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'reprise-lease-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Requests are ordered by their milliseconds. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise(setImmediate)
}

const decode = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()
