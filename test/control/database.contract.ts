/** What both engines promise, on the same statements: appends, forks, claims, commands, tasks, blobs, people. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { blobChunks, blobSize, CHUNK_BYTES, putBlob } from '../../src/control/blobs/blobs.ts'
import {
  claimCommands,
  commandOf,
  LEASE_MS,
  queueCommand,
  settleCommand,
} from '../../src/control/commands/commands.ts'
import {
  addTask,
  archiveTask,
  cancelTask,
  claimTask,
  keepTask,
  TASK_LEASE_MS,
  taskOf,
  tasksOf,
} from '../../src/control/tasks/tasks.ts'
import { hearWorker } from '../../src/control/tasks/workers.ts'
import type { Database } from '../../src/control/database/port.ts'
import {
  approveDevice,
  beginDevice,
  finishDevice,
  loginCode,
  ownerCode,
} from '../../src/control/people/logins.ts'
import { addPerson, addTenant, endPerson } from '../../src/control/people/people.ts'
import { askerOf, createToken, revokeToken } from '../../src/control/people/tokens.ts'
import { beginSession } from '../../src/control/sessions/begin.ts'
import { shareSession } from '../../src/control/sessions/change.ts'
import { deleteSession } from '../../src/control/sessions/trash.ts'
import { claimSession } from '../../src/control/sessions/claim.ts'
import { addGeneration } from '../../src/control/sessions/generations.ts'
import { listSessions, sessionsMeantBy, type ListWish } from '../../src/control/sessions/list.ts'
import { hear } from '../../src/control/sessions/presence.ts'
import { readable } from '../../src/control/sessions/stored-session.ts'
import { appendAll, type Append } from '../../src/control/streams/append.ts'
import { createStream } from '../../src/control/streams/create.ts'
import { findStream } from '../../src/control/streams/find.ts'
import { groupAppends } from '../../src/control/streams/group.ts'
import { readPage } from '../../src/control/streams/read.ts'
import { removeIn } from '../../src/control/streams/remove.ts'
import { asker, line } from './asker.ts'

export type OpenDatabase = () => Promise<Database>

const tenant = 'main'
const NOW = Date.parse('2026-11-16T12:00:00Z')
const bytes = (text: string) => Buffer.from(text)

export function describeDatabase(name: string, open: OpenDatabase): void {
  describe(name, () => {
    test('a line comes back byte for byte, and as bytes when it is no text', async () => {
      await using db = await open()
      await createStream(
        db,
        { tenant, path: 'a', type: 'application/octet-stream', close: false, records: [] },
        NOW,
      )
      const lines = [
        bytes('{"b":1.0,"a":12345678901234567890,"c":"\\u0000\\ud800","d":"é\u2028😀"}'),
        bytes('with a NUL \0 in it'),
        new Uint8Array([0xff, 0xfe, 0x7b, 0x80]),
        bytes(`"${'x'.repeat(300_000)}"`),
      ]
      await appendAll(db, [plain('a', ...lines)], NOW)
      assert.deepEqual(
        await contents(db, 'a'),
        lines.map((each) => Buffer.from(each).toString('hex')),
      )
      const rows = await db.query
        .selectFrom('events')
        .select(['line', 'raw'])
        .orderBy('seq')
        .execute()
      assert.deepEqual(
        rows.map(({ line: text, raw }) => [text === null, raw === null]),
        [
          [false, true],
          [true, false],
          [true, false],
          [false, true],
        ],
      )
    })

    test('one batch of many appends numbers each stream without a hole, and the same producer twice writes once', async () => {
      await using db = await open()
      for (const path of ['a', 'b'])
        await createStream(db, { tenant, path, type: 'text/plain', close: false, records: [] }, NOW)
      const from = (path: string, seq: number, text: string): Append => ({
        ...plain(path, bytes(text)),
        type: 'text/plain',
        producer: { id: 'p', epoch: 0, seq },
      })
      const results = await appendAll(
        db,
        [
          from('a', 0, 'a0'),
          from('b', 0, 'b0'),
          from('a', 1, 'a1'),
          from('a', 1, 'again'),
          from('a', 3, 'gap'),
          from('none', 0, 'x'),
        ],
        NOW,
      )
      assert.deepEqual(
        results.map(({ verdict, stream }) => [verdict, stream?.head]),
        [
          [{ kind: 'append' }, 1],
          [{ kind: 'append' }, 1],
          [{ kind: 'append' }, 2],
          [{ kind: 'duplicate', last: 1 }, 2],
          [{ kind: 'gap', expected: 2 }, 2],
          [{ kind: 'missing' }, undefined],
        ],
      )
      assert.deepEqual(
        (
          await appendAll(
            db,
            [
              from('a', 0, 'old'),
              { ...from('a', 0, 'new'), producer: { id: 'p', epoch: 2, seq: 0 } },
              from('a', 2, 'late'),
            ],
            NOW,
          )
        ).map(({ verdict }) => verdict),
        [{ kind: 'duplicate', last: 1 }, { kind: 'append' }, { kind: 'stale', epoch: 2 }],
      )
      assert.deepEqual(await texts(db, 'a'), ['a0', 'a1', 'new'])
      assert.deepEqual(await texts(db, 'b'), ['b0'])
    })

    test('appends at the same time from many connections are all there, once, in the order of each writer', async () => {
      await using db = await open()
      const paths = Array.from({ length: 8 }, (_, at) => `s${at}`)
      for (const path of paths)
        await createStream(db, { tenant, path, type: 'text/plain', close: false, records: [] }, NOW)
      const grown = new Set<string>()
      const groups = [1, 2].map(() =>
        groupAppends(db, { now: () => NOW, onGrown: (ids) => ids.forEach((id) => grown.add(id)) }),
      )
      await Promise.all(
        paths.flatMap((path) =>
          groups.map(async (group, writer) => {
            for (let seq = 0; seq < 20; seq++) {
              const { verdict } = await group.append({
                ...plain(path, bytes(`${writer}.${seq}`)),
                type: 'text/plain',
                producer: { id: `w${writer}`, epoch: 0, seq },
              })
              assert.deepEqual(verdict, { kind: 'append' })
            }
          }),
        ),
      )
      assert.equal(grown.size, paths.length)
      for (const path of paths) {
        const all = await texts(db, path)
        for (const writer of [0, 1])
          assert.deepEqual(
            all.filter((text) => text.startsWith(`${writer}.`)),
            Array.from({ length: 20 }, (_, seq) => `${writer}.${seq}`),
          )
        assert.equal(all.length, 40)
      }
    })

    test('a fork reads its source up to the cut and then its own, whatever becomes of the source', async () => {
      await using db = await open()
      await createStream(
        db,
        {
          tenant,
          path: 'a',
          type: 'text/plain',
          close: false,
          records: ['1', '2', '3'].map((text) => ({ bytes: bytes(text) })),
        },
        NOW,
      )
      const fork = {
        tenant,
        path: 'b',
        close: false,
        records: [{ bytes: bytes('x') }],
        fork: { path: 'a', head: 2, part: 0 },
      }
      assert.equal((await createStream(db, fork, NOW)).kind, 'created')
      assert.equal((await createStream(db, fork, NOW)).kind, 'exists')
      assert.equal(
        (
          await createStream(
            db,
            { ...fork, path: 'c', records: [], fork: { path: 'b', head: 3, part: 0 } },
            NOW,
          )
        ).kind,
        'created',
      )
      assert.equal(
        (
          await createStream(
            db,
            { ...fork, path: 'd', records: [], fork: { path: 'b', head: 1, part: 0 } },
            NOW,
          )
        ).kind,
        'created',
      )
      await appendAll(
        db,
        [
          { ...plain('a', bytes('4')), type: 'text/plain' },
          { ...plain('c', bytes('y')), type: 'text/plain' },
        ],
        NOW,
      )
      assert.deepEqual(await texts(db, 'a'), ['1', '2', '3', '4'])
      await remove(db, 'a')
      await remove(db, 'b')
      assert.deepEqual(await texts(db, 'c'), ['1', '2', 'x', 'y'])
      assert.deepEqual(await texts(db, 'd'), ['1'])
      assert.equal((await findStream(db, db.query, { tenant, path: 'a' }, NOW))?.gone, 1)
      for (const path of ['c', 'd']) await remove(db, path)
      for (const path of ['a', 'b', 'c', 'd'])
        assert.equal(await findStream(db, db.query, { tenant, path }, NOW), undefined)
      assert.deepEqual(await db.query.selectFrom('events').selectAll().execute(), [])
    })

    test('only the machine with the last claim appends; what it sends again is stored once', async () => {
      await using db = await open()
      const ann = asker('ann')
      await beginSession(db, ann, { id: 'one' }, NOW)
      const first = await claimSession(db, ann, 'one', NOW)
      assert.deepEqual(first, {
        session: 'one',
        producer: 'machine-ann/one',
        epoch: 1,
        generation: 0,
        path: 's/one/0',
        head: 0,
        lastEventId: null,
      })
      const send = async (
        epoch: number,
        seq: number,
        ids: readonly string[],
        producer = first.producer,
      ) => {
        const [result] = await appendAll(
          db,
          [events('s/one/0', ids, { id: producer, epoch, seq })],
          NOW,
        )
        return [result?.verdict.kind, result?.written, result?.stream?.head]
      }
      assert.deepEqual(await send(1, 0, ['e1', 'e2', 'e3']), ['append', 3, 3])
      assert.deepEqual(await send(1, 0, ['e1', 'e2', 'e3']), ['duplicate', 0, 3])
      const second = await claimSession(db, { ...ann, machine: 'laptop' }, 'one', NOW)
      assert.deepEqual([second.epoch, second.head, second.lastEventId], [2, 3, 'e3'])
      assert.deepEqual(await send(1, 1, ['e4']), ['stale', 0, 3])
      assert.deepEqual(await send(2, 0, ['e4']), ['stale', 0, 3])
      assert.deepEqual(await send(2, 0, ['e2', 'e3', 'e4'], second.producer), ['append', 1, 4])
      assert.deepEqual(
        (await page(db, 's/one/0')).map(({ id }) => id),
        ['e1', 'e2', 'e3', 'e4'],
      )
    })

    test('a rewind is a generation forked at the cut, a redo one forked from the end of the removed one', async () => {
      await using db = await open()
      const ann = asker('ann')
      await beginSession(db, ann, { id: 'one' }, NOW)
      const { producer, epoch } = await claimSession(db, ann, 'one', NOW)
      const send = (path: string, seq: number, ids: readonly string[]) =>
        appendAll(db, [events(path, ids, { id: producer, epoch, seq })], NOW)
      await send('s/one/0', 0, ['e1', 'e2', 'e3'])
      const wish = { session: 'one', generation: 1, from: 0, head: 1, producer, epoch }
      assert.equal((await addGeneration(db, ann, { ...wish, epoch: 9 }, NOW)).kind, 'stale')
      assert.equal((await addGeneration(db, ann, wish, NOW)).kind, 'created')
      assert.equal((await addGeneration(db, ann, wish, NOW)).kind, 'exists')
      const old = await findStream(db, db.query, { tenant, path: 's/one/0' }, NOW)
      assert.deepEqual([old?.closed, old?.successor, old?.head], [1, 's/one/1', 3])
      assert.equal((await send('s/one/0', 1, ['e4']))[0]?.verdict.kind, 'closed')
      // The same ids come again in another generation, and those that it inherits do not.
      await send('s/one/1', 0, ['e1', 'e2', 'f1'])
      assert.deepEqual(
        (await page(db, 's/one/1')).map(({ id }) => id),
        ['e1', 'e2', 'f1'],
      )
      assert.equal(
        (await addGeneration(db, ann, { ...wish, generation: 2, from: 0, head: 3 }, NOW)).kind,
        'created',
      )
      assert.deepEqual(
        (await page(db, 's/one/2')).map(({ id }) => id),
        ['e1', 'e2', 'e3'],
      )
      await deleteSession(db, ann, 'one', NOW)
      for (const table of ['streams', 'events', 'producers', 'sessions'] as const)
        assert.deepEqual(await db.query.selectFrom(table).selectAll().execute(), [], table)
    })

    test('a session is its person’s alone until it is shared, and another tenant never sees it', async () => {
      await using db = await open()
      const [ann, bob, other] = [asker('ann'), asker('bob'), asker('ann', { tenant: 'other' })]
      await beginSession(db, ann, { id: 'one' }, NOW)
      const seen = async (who: typeof ann) =>
        (await listSessions(db.query, who, { limit: 10 })).sessions.map(({ id }) => id)
      assert.deepEqual([await seen(ann), await seen(bob), await seen(other)], [['one'], [], []])
      await assert.rejects(readable(db.query, bob, 'one'), { code: 'not_found' })
      await assert.rejects(shareSession(db, bob, { id: 'one', sharing: 'team' }, NOW), {
        code: 'not_found',
      })
      await shareSession(db, ann, { id: 'one', sharing: 'team' }, NOW)
      assert.deepEqual([await seen(bob), await seen(other)], [['one'], []])
      await assert.rejects(claimSession(db, bob, 'one', NOW), { code: 'forbidden' })
      await assert.rejects(deleteSession(db, bob, 'one', NOW), { code: 'forbidden' })
      await assert.rejects(beginSession(db, bob, { id: 'one' }, NOW), { code: 'conflict' })
      await shareSession(db, ann, { id: 'one', sharing: 'private' }, NOW)
      assert.deepEqual(await seen(bob), [])
    })

    test('a list begins with a repository, holds what words narrow it to, and a value means an id before a name', async () => {
      await using db = await open()
      const [ann, bob] = [asker('ann'), asker('bob')]
      const told = [
        ['aaaa-1', { name: 'Fix Pump', repository: 'acme/pump', branch: 'main' }],
        ['aaaa-2', { summary: 'fix pump', repository: 'acme/other' }],
        ['bbbb-3', { name: 'aaaa', repository: 'acme/pump' }],
      ] as const
      for (const [at, [id, words]] of told.entries()) {
        await beginSession(db, ann, { id }, NOW + at)
        await hear(db.query, { tenant, id }, words, NOW + at)
      }
      const ids = async (wish: Partial<ListWish> = {}, who = ann) =>
        (await listSessions(db.query, who, { limit: 10, ...wish })).sessions.map(({ id }) => id)
      assert.deepEqual(await ids(), ['bbbb-3', 'aaaa-2', 'aaaa-1'])
      assert.deepEqual(await ids({ repository: 'ACME/other' }), ['aaaa-2', 'bbbb-3', 'aaaa-1'])
      assert.deepEqual(await ids({ words: ['PUMP', 'fix'] }), ['aaaa-2', 'aaaa-1'])
      assert.deepEqual(await ids({ limit: 1, offset: 1 }), ['aaaa-2'])
      assert.deepEqual(await ids({}, bob), [])
      const meant = async (value: string, who = ann) =>
        (await sessionsMeantBy(db.query, who, value)).map(({ by, session }) => [by, session.id])
      assert.deepEqual(await meant('aaaa-1'), [['id', 'aaaa-1']])
      assert.deepEqual(await meant('AAAA'), [
        ['name', 'bbbb-3'],
        ['prefix', 'aaaa-2'],
        ['prefix', 'aaaa-1'],
      ])
      assert.deepEqual(await meant('Fix pump'), [
        ['summary', 'aaaa-2'],
        ['name', 'aaaa-1'],
      ])
      assert.deepEqual(await meant('aaaa-1', bob), [])
    })

    test('of two machines that ask, a command goes to one; it ends once, and an unknown one is not given out again', async () => {
      await using db = await open()
      const session = 'one'
      const wish = {
        tenant,
        session,
        kind: 'user_message' as const,
        content: 'go',
        person: 'ann',
        ends: NOW + 3_600_000,
      }
      for (const id of ['c1', 'c2', 'c3']) await queueCommand(db, { ...wish, id }, NOW)
      await queueCommand(db, { ...wish, id: 'c1', content: 'other' }, NOW)
      const claims = await Promise.all(
        ['m1', 'm2'].map((machine) => claimCommands(db, { tenant, session, machine }, NOW)),
      )
      assert.deepEqual(
        claims
          .flat()
          .map(({ id, content }) => [id, content])
          .sort(),
        [
          ['c1', 'go'],
          ['c2', 'go'],
          ['c3', 'go'],
        ],
      )
      await settleCommand(db, { tenant, session, id: 'c1' }, { state: 'applied', event: 'e9' }, NOW)
      await settleCommand(
        db,
        { tenant, session, id: 'c1' },
        { state: 'refused', reason: 'late' },
        NOW,
      )
      await settleCommand(
        db,
        { tenant, session, id: 'c2' },
        { state: 'refused', reason: 'no such prompt' },
        NOW,
      )
      assert.deepEqual(
        await claimCommands(db, { tenant, session, machine: 'm3' }, NOW + LEASE_MS + 1),
        [],
      )
      const states = await Promise.all(
        ['c1', 'c2', 'c3'].map((id) => commandOf(db.query, { tenant, session, id })),
      )
      assert.deepEqual(
        states.map((each) => [each?.state, each?.event, each?.reason]),
        [
          ['applied', 'e9', null],
          ['refused', null, 'no such prompt'],
          ['unknown', null, null],
        ],
      )
      await queueCommand(db, { ...wish, id: 'c4', ends: NOW + 5 }, NOW)
      assert.deepEqual(await claimCommands(db, { tenant, session, machine: 'm3' }, NOW + 6), [])
      assert.equal((await commandOf(db.query, { tenant, session, id: 'c4' }))?.state, 'expired')
    })

    test('a task is held by one worker, and by another when its lease ran out', async () => {
      await using db = await open()
      await addTask(
        db.query,
        { tenant, id: 't1', session: null, person: 'ann', kind: 'run', content: '{}' },
        NOW,
      )
      const both = await Promise.all(
        ['w1', 'w2'].map((worker) => claimTask(db, { tenant, worker }, NOW)),
      )
      assert.equal(both.filter((each) => each !== undefined).length, 1)
      const worker = both.find((each) => each !== undefined)?.worker ?? ''
      assert.equal(await keepTask(db.query, { tenant, id: 't1', worker }, NOW + 1), true)
      const later = NOW + TASK_LEASE_MS + 2
      assert.equal((await claimTask(db, { tenant, worker: 'w3' }, later))?.worker, 'w3')
      assert.equal(
        await keepTask(db.query, { tenant, id: 't1', worker, end: 'done' }, later),
        false,
      )
      assert.equal(
        await keepTask(db.query, { tenant, id: 't1', worker: 'w3', end: 'done' }, later),
        true,
      )
    })

    test('a task goes to its pool and person, one that nobody wants ends, and only its worker writes in its session', async () => {
      await using db = await open()
      const [ann, bob] = [asker('ann'), asker('bob')]
      const task = { tenant, kind: 'session', content: '{}' }
      await beginSession(db, ann, { id: 'its' }, NOW)
      await addTask(db.query, { ...task, id: 'a', session: 'its', person: 'ann', pool: 'gpu' }, NOW)
      const of = (more: object) =>
        claimTask(db, { tenant, worker: 'w1', leaseMs: 1000, ...more }, NOW)
      assert.equal(await of({}), undefined, 'another pool')
      assert.equal(await of({ pool: 'gpu', person: 'bob' }), undefined, 'another person')
      const told = { tenant, machine: 'm', pool: 'gpu', agent: 'x', policy: 'x', slots: 1, busy: 0 }
      await hearWorker(db.query, { ...told, id: 'w1', person: 'bob', heard: NOW })
      await assert.rejects(hearWorker(db.query, { ...told, id: 'w1', person: 'ann', heard: NOW }), {
        code: 'not_found',
      })
      await assert.rejects(claimSession(db, bob, 'its', NOW), { code: 'not_found' })
      assert.equal((await of({ pool: 'gpu' }))?.attempts, 1)
      assert.equal((await claimSession(db, bob, 'its', NOW)).epoch, 1)
      await assert.rejects(shareSession(db, bob, { id: 'its', sharing: 'team' }, NOW), {
        code: 'not_found',
      })
      await cancelTask(db.query, { tenant, id: 'a' }, NOW)
      assert.deepEqual(
        (await tasksOf(db.query, { tenant, person: 'ann' }, 10)).map(({ state, cancelled }) => [
          state,
          cancelled,
        ]),
        [['running', NOW]],
      )
      assert.equal(
        await claimTask(db, { tenant, worker: 'w2', pool: 'gpu' }, NOW + 2000),
        undefined,
      )
      assert.equal(
        await keepTask(db.query, { tenant, id: 'a', worker: 'w1', end: 'cancelled' }, NOW),
        true,
      )
      await assert.rejects(claimSession(db, bob, 'its', NOW), { code: 'not_found' })
      await addTask(db.query, { ...task, id: 'b', session: 's2', person: 'ann' }, NOW)
      await cancelTask(db.query, { tenant, id: 'b' }, NOW)
      assert.equal((await taskOf(db.query, { tenant, id: 'b' }))?.state, 'cancelled')
      await archiveTask(db.query, { tenant, id: 'b', isArchived: true }, NOW)
      assert.deepEqual(
        (await tasksOf(db.query, { tenant, isArchived: true }, 10)).map(({ id }) => id),
        ['b'],
      )
    })

    test('a blob is read through a session that names it, and goes with the last one that does', async () => {
      await using db = await open()
      const content = Buffer.alloc(CHUNK_BYTES * 2 + 17, 'large ')
      const hash = createHash('sha256').update(content).digest('hex')
      const at = (session: string) => ({ tenant, session, hash })
      await assert.rejects(putBlob({ db }, { ...at('one'), hash: '0'.repeat(64) }, content, NOW), {
        code: 'invalid',
      })
      await putBlob({ db }, at('one'), content, NOW)
      await putBlob({ db }, at('two'), content, NOW)
      assert.equal(await blobSize(db.query, at('three')), undefined)
      assert.equal(await blobSize(db.query, { ...at('one'), tenant: 'other' }), undefined)
      const size = (await blobSize(db.query, at('two'))) ?? 0
      const parts = await Array.fromAsync(blobChunks({ db }, at('two'), size))
      assert.deepEqual(
        parts.map(({ length }) => length),
        [CHUNK_BYTES, CHUNK_BYTES, 17],
      )
      assert.ok(Buffer.concat(parts).equals(content))
      const ann = asker('ann')
      for (const id of ['one', 'two']) await beginSession(db, ann, { id }, NOW)
      await deleteSession(db, ann, 'one', NOW)
      assert.equal(await blobSize(db.query, at('two')), content.length)
      await deleteSession(db, ann, 'two', NOW)
      assert.deepEqual(await db.query.selectFrom('chunks').select('part').execute(), [])
    })

    test('a token says who asks until it ends, is revoked or its person leaves; the database has no secret', async () => {
      await using db = await open()
      await addTenant(db.query, { id: tenant, name: 'Team' }, NOW)
      const person = await addPerson(db.query, { tenant, name: 'Ann', role: 'member' }, NOW)
      const make = (ends?: number) =>
        createToken(
          db.query,
          {
            tenant,
            person: person.id,
            name: 'laptop',
            scopes: ['export', 'watch'],
            ...(ends && { ends }),
          },
          NOW,
        )
      const { text, token } = await make()
      assert.deepEqual(await askerOf(db.query, text, NOW), {
        tenant,
        person: person.id,
        role: 'member',
        token: token.id,
        machine: 'laptop',
        scopes: ['export', 'watch'],
      })
      assert.ok(
        !JSON.stringify(await db.query.selectFrom('tokens').selectAll().execute()).includes(
          text.split('.')[2] ?? '',
        ),
      )
      assert.equal(
        await askerOf(db.query, `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`, NOW),
        undefined,
      )
      await assert.rejects(
        createToken(db.query, { tenant, person: person.id, name: 'x', scopes: ['admin'] }, NOW),
        { code: 'forbidden' },
      )
      const short = await make(NOW + 10)
      assert.notEqual(await askerOf(db.query, short.text, NOW + 9), undefined)
      assert.equal(await askerOf(db.query, short.text, NOW + 10), undefined)
      await revokeToken(db.query, { tenant, id: token.id }, NOW)
      assert.equal(await askerOf(db.query, text, NOW), undefined)
      const last = await make()
      await endPerson(db.query, { tenant, id: person.id }, NOW)
      assert.equal(await askerOf(db.query, last.text, NOW), undefined)
    })

    test('the link of the first owner works once, and a machine gets its token once after its person said yes', async () => {
      await using db = await open()
      await addTenant(db.query, { id: tenant, name: 'Team' }, NOW)
      // Of three nodes that start at once.
      const codes = await Promise.all([1, 2, 3].map(() => ownerCode(db, tenant, NOW)))
      const logins = await Promise.allSettled(
        codes.map((code = '') => loginCode(db, { code, name: 'Ann' }, NOW)),
      )
      const [came, ...more] = logins.flatMap((each) =>
        each.status === 'fulfilled' ? each.value : [],
      )
      assert.ok(came !== undefined && more.length === 0, 'one of the links makes one owner')
      const { token } = came
      for (const code of codes)
        await assert.rejects(loginCode(db, { code: code ?? '', name: 'Eve' }, NOW), {
          code: 'unauthorized',
        })
      assert.equal(await ownerCode(db, tenant, NOW), undefined)
      const ann = await askerOf(db.query, token, NOW)
      assert.ok(ann?.role === 'owner')
      const device = await beginDevice(
        [db],
        { name: 'laptop', machine: 'laptop', scopes: ['export'] },
        NOW,
      )
      await assert.rejects(finishDevice(db, device.deviceCode, NOW), { code: 'pending' })
      await assert.rejects(approveDevice(db, ann, { userCode: 'AAAA-AAAA', approve: true }, NOW), {
        code: 'not_found',
      })
      await approveDevice(db, ann, { userCode: device.userCode, approve: true }, NOW)
      const done = await finishDevice(db, device.deviceCode, NOW)
      assert.deepEqual((await askerOf(db.query, done.token, NOW))?.scopes, ['export'])
      await assert.rejects(finishDevice(db, device.deviceCode, NOW), { code: 'expired' })
      const late = await beginDevice(
        [db],
        { name: 'laptop', machine: 'laptop', scopes: ['export'] },
        NOW,
      )
      await assert.rejects(
        approveDevice(db, ann, { userCode: late.userCode, approve: true }, NOW + 600_001),
        { code: 'not_found' },
      )
    })
  })
}

const plain = (path: string, ...records: readonly Uint8Array[]): Append => ({
  tenant,
  path,
  type: 'application/octet-stream',
  close: false,
  records: records.map((each) => ({ bytes: each })),
})

const events = (
  path: string,
  ids: readonly string[],
  producer: NonNullable<Append['producer']>,
): Append => ({
  tenant,
  path,
  type: 'application/json',
  close: false,
  producer,
  records: ids.map((id) => ({ bytes: line(id, null), id, parent: null, type: 'user.message' })),
})

async function page(db: Database, path: string) {
  const stream = await findStream(db, db.query, { tenant, path }, NOW)
  assert.ok(stream)
  const { records, next, isEnd } = await readPage(db.query, stream, 0)
  assert.deepEqual([next, isEnd], [stream.head, true])
  assert.deepEqual(
    records.map(({ seq }) => seq),
    records.map((_, at) => at + 1),
  )
  return records
}

const contents = async (db: Database, path: string) =>
  (await page(db, path)).map((each) => Buffer.from(each.bytes).toString('hex'))

const texts = async (db: Database, path: string) =>
  (await page(db, path)).map((each) => Buffer.from(each.bytes).toString())

const remove = (db: Database, path: string) =>
  db.transact(async (tx) => {
    const stream = await findStream(db, tx, { tenant, path }, NOW)
    assert.ok(stream)
    await removeIn(tx, stream)
  })
