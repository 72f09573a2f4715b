/** Search, SQL and reports over the sessions of a team: only what the asker may read, and what is there now. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { offsetOf } from '../../src/format/stream-offset.ts'
import { attacks } from '../sql/attacks.ts'
import { begin, until } from './live.contract.ts'
import { event, type Client, type TestNode } from './node.ts'

const said = (id: string, parent: string | null, content: string) =>
  event(id, parent, { data: { content }, timestamp: new Date().toISOString() })

const start = (id: string, sessionId: string) =>
  event(id, null, {
    type: 'session.start',
    timestamp: new Date().toISOString(),
    data: {
      sessionId,
      version: 1,
      producer: 'reprise',
      copilotVersion: '1.0.0',
      startTime: new Date().toISOString(),
      context: { cwd: '/home/ann/secret-place', repository: 'me/demo', branch: 'main' },
    },
  })

async function write(client: Client, id: string, word: string, sharing = 'private') {
  const claim = await begin(client, id)
  const sent = await client.send(claim.stream, claim, 0, [
    start(`${id}-0`, id),
    said(`${id}-1`, `${id}-0`, `about ${word}`),
    said(`${id}-2`, `${id}-1`, `later ${word}s`),
  ])
  assert.equal(sent.status, 200)
  if (sharing === 'team') await client.ask('POST', `/api/sessions/${id}/sharing`, { sharing })
  return claim
}

async function found(client: Client, word: string, more = ''): Promise<string[]> {
  const answer = await client.ask('GET', `/api/search?q=${word}${more}`)
  assert.equal(answer.status, 200, answer.text)
  const { hits, behind } = answer.body as {
    hits: { sessionId: string }[]
    behind: { events: number }
  }
  assert.equal(behind.events, 0)
  return [...new Set(hits.map(({ sessionId }) => sessionId))].toSorted()
}

const rowsOf = async (client: Client, sql: string, of?: string): Promise<unknown[][]> => {
  const answer = await client.ask('POST', '/api/sql', { sql, ...(of && { of }) })
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as { rows: unknown[][] }).rows
}

export function describeDerived(name: string, open: () => Promise<TestNode>): void {
  describe(`${name}, derived stores`, () => {
    test('a person finds their own and the team’s sessions; what is unshared, rewound or deleted is found no more', async () => {
      await using node = await open()
      const [ann, bob] = [await node.person('ann'), await node.person('bob')]
      const eve = await node.person('eve', { tenant: 'other', role: 'owner' })
      const claim = await write(ann, 'anns', 'giraffe')
      await write(ann, 'shared', 'giraffe', 'team')
      await write(bob, 'bobs', 'giraffe')
      assert.deepEqual(await found(ann, 'giraffe'), ['anns', 'shared'])
      assert.deepEqual(await found(ann, 'giraffe', '&of=team'), ['shared'])
      assert.deepEqual(await found(bob, 'giraffe'), ['bobs', 'shared'])
      assert.deepEqual(await found(eve, 'giraffe'), [])
      await ann.ask('POST', '/api/sessions/shared/sharing', { sharing: 'private' })
      assert.deepEqual(await found(bob, 'giraffe'), ['bobs'])
      const cut = {
        'stream-forked-from': '/streams/s/anns/0',
        'stream-fork-offset': offsetOf(2),
        'producer-id': claim.producer,
        'producer-epoch': String(claim.epoch),
        'producer-seq': '0',
      }
      assert.equal((await ann.ask('PUT', '/streams/s/anns/1', undefined, cut)).status, 201)
      assert.deepEqual(await found(ann, 'giraffes'), ['shared'])
      await ann.send('/streams/s/anns/1', claim, 0, [said('anns-9', 'anns-1', 'an okapi')])
      assert.deepEqual(await found(ann, 'okapi'), ['anns'])
      await ann.ask('DELETE', '/api/sessions/anns')
      assert.deepEqual(await found(ann, 'giraffe'), ['shared'])
      assert.equal((await ann.ask('GET', '/api/search?q=')).status, 400)
    })

    test('an event that is nested without end stops no question and no node', async () => {
      await using node = await open()
      const [ann, bob] = [await node.person('ann'), await node.person('bob')]
      await write(ann, 'shared', 'giraffe', 'team')
      const claim = await write(bob, 'deep', 'giraffe', 'team')
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
      const body = JSON.stringify([said('deep-9', 'deep-2', 'okapi')]).replace(
        '"data":{',
        `"data":{"deep":${deep},`,
      )
      const { producer, epoch } = claim
      const headers = {
        'producer-id': producer,
        'producer-epoch': String(epoch),
        'producer-seq': '1',
      }
      assert.equal((await bob.ask('POST', '/streams/s/deep/0', body, headers)).status, 200)
      assert.deepEqual(await found(ann, 'giraffe'), ['deep', 'shared'])
      assert.deepEqual(await found(ann, 'okapi'), ['deep'])
      const kept = await bob.ask('GET', '/streams/s/deep/0?offset=-1')
      assert.ok(kept.text.includes(deep))
      // Told to other nodes a moment later, where nobody waits for an answer.
      const screen = ann.frames('/api/sessions/deep/live?after=deep-9')
      await until(screen, ({ event: name }) => name === 'ready')
      const notices = `{"notices":[{"type":"assistant.message_delta","data":${deep}}]}`
      assert.equal((await bob.ask('POST', '/api/sessions/deep/notices', notices)).status, 200)
      await until(screen, ({ event: name }) => name === 'notice')
      await screen.return(undefined)
    })

    test('SQL and reports open one file: the schema is the store’s, with events, person and machine, without directories', async () => {
      await using node = await open()
      const [ann, bob] = [await node.person('ann'), await node.person('bob')]
      await write(ann, 'anns', 'giraffe')
      await write(bob, 'bobs', 'okapi', 'team')
      assert.deepEqual(
        await rowsOf(
          ann,
          'select id, cwd, repository, person, person_name, machine from sessions',
          'mine',
        ),
        [['anns', null, 'me/demo', ann.person, 'ann', 'ann-laptop']],
      )
      assert.deepEqual(
        await rowsOf(ann, 'select session_id, seq, type, repository from events order by seq'),
        [
          ['bobs', 1, 'session.start', 'me/demo'],
          ['bobs', 2, 'user.message', 'me/demo'],
          ['bobs', 3, 'user.message', 'me/demo'],
        ],
      )
      const report = await ann.ask('GET', '/api/chronicle/standup?of=mine')
      assert.equal(report.status, 200, report.text)
      assert.ok(report.text.includes('anns') && !report.text.includes('bobs'))
      assert.ok(!report.text.includes('secret-place'))
      assert.equal((await ann.ask('GET', '/api/chronicle/nonsense')).status, 404)
      const wrong = await ann.ask('POST', '/api/sql', { sql: 'delete from sessions' })
      assert.equal(wrong.status, 400)
    })

    test('no attack in SQL gives a row of another person or tenant', async () => {
      await using node = await open()
      const ann = await node.person('ann')
      await write(ann, 'anns', 'canary-5f2e')
      const others = [
        await node.person('bob'),
        await node.person('eve', { tenant: 'other', role: 'owner' }),
      ]
      const wanted = attacks('/tmp').filter(({ expect }) => expect === 'refused')
      assert.ok(wanted.length > 50)
      for (const other of others) {
        await write(other, `of-${other.person}`, 'nothing')
        // Every fourth is spelled anew: the sandbox's own test has them all.
        const chosen = wanted.filter((_, at) => at % 4 === 0)
        for (const { sql } of chosen) {
          const answer = await other.ask('POST', '/api/sql', { sql, of: 'mine' })
          assert.equal(answer.status, 400, sql)
          assert.ok(!answer.text.includes('canary-5f2e'))
        }
        for (const audience of ['mine', 'team']) {
          const all = await other.ask('POST', '/api/sql', {
            sql: 'select * from events',
            of: audience,
          })
          assert.ok(all.status === 200 && !all.text.includes('canary-5f2e'))
        }
      }
    })
  })
}
