/** What is promised of a session while it happens, on both engines: commands, presence, notices, lists. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { offsetOf } from '../../src/format/stream-offset.ts'
import { event, type Client, type Frame, type TestNode } from './node.ts'

export type Claimed = { readonly producer: string; readonly epoch: number; readonly stream: string }

/** One that takes commands. */
export async function begin(client: Client, id: string): Promise<Claimed> {
  assert.equal((await client.ask('PUT', `/streams/s/${id}/0`)).status, 201)
  const { body } = await client.ask('POST', `/api/sessions/${id}/claim`)
  await client.ask('POST', `/api/sessions/${id}/heartbeat`, { steerable: true, state: 'idle' })
  return body as Claimed
}

const command = (id: string, more: object = {}) => ({
  id,
  kind: 'user_message',
  content: `please ${id}`,
  ...more,
})

/** Reads frames until one is as wanted; gives all of them. */
export async function until(
  frames: AsyncGenerator<Frame>,
  isWanted: (frame: Frame) => boolean,
): Promise<Frame[]> {
  const seen: Frame[] = []
  for (;;) {
    const { value, done } = await frames.next()
    assert.ok(done !== true, `ended after ${JSON.stringify(seen)}`)
    seen.push(value)
    if (isWanted(value)) return seen
  }
}

const lastOf = (frames: readonly Frame[]): unknown => frames.at(-1)?.data
const named = (name: string) => (frame: Frame) => frame.event === name
const eventsIn = (frames: readonly Frame[]) => frames.filter(named('event')).map(({ id }) => id)

export function describeLive(name: string, start: () => Promise<TestNode>): void {
  describe(`${name}, live`, () => {
    test('a machine that waits gets a command at once, and it ends in the commit of its event', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      const claim = await begin(ann, 'one')
      const waits = ann.ask('POST', '/api/sessions/one/commands/claim', { wait: 20 })
      const began = Date.now()
      await ann.ask('POST', '/api/sessions/one/commands', command('c1'))
      const { commands } = (await waits).body as { commands: { id: string; content: string }[] }
      assert.deepEqual(
        commands.map(({ id, content }) => [id, content]),
        [['c1', 'please c1']],
      )
      assert.ok(Date.now() - began < 10_000)
      const shown = event('e1', null, { data: { content: 'please c1', source: 'command-c1' } })
      await ann.send(claim.stream, claim, 0, [shown])
      await ann.ask('POST', '/api/sessions/one/commands', command('c2', { kind: 'abort' }))
      await ann.ask('POST', '/api/sessions/one/commands/claim', {})
      await ann.ask('POST', claim.stream, [event('e2', 'e1')], {
        'producer-id': claim.producer,
        'producer-epoch': String(claim.epoch),
        'producer-seq': '1',
        'commands-applied': 'c2=e2',
      })
      const list = await ann.ask('GET', '/api/sessions/one/commands')
      const told = (list.body as { commands: { id: string; state: string; event: string }[] })
        .commands
      assert.deepEqual(
        told.map(({ id, state, event: shownBy }) => [id, state, shownBy]).toSorted(),
        [
          ['c1', 'applied', 'e1'],
          ['c2', 'applied', 'e2'],
        ],
      )
    })

    test('nothing to do is told after the wait; a wait that nobody ends holds no command', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      await begin(ann, 'one')
      const none = await ann.ask('POST', '/api/sessions/one/commands/claim', { wait: 1 })
      assert.deepEqual(none.body, { commands: [] })
    })

    test('of two answers to a question the first one counts, also at the same moment', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      await begin(ann, 'one')
      const answers = await Promise.all(
        ['a1', 'a2', 'a3'].map((id) =>
          ann.ask(
            'POST',
            '/api/sessions/one/commands',
            command(id, {
              kind: 'permission_response',
              content: JSON.stringify({ promptId: 'p1', approved: id === 'a1' }),
            }),
          ),
        ),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 409, 409])
      const second = answers.find(({ status }) => status === 409)
      assert.match(second?.text ?? '', /ann has answered this before, from ann-laptop/)
      const bare = command('a4', { kind: 'permission_response', content: '{}' })
      assert.equal((await ann.ask('POST', '/api/sessions/one/commands', bare)).status, 400)
    })

    test('the same event again does nothing; another one of its id is refused and named', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      const claim = await begin(ann, 'one')
      await ann.send(claim.stream, claim, 0, [event('e1', null), event('e2', 'e1')])
      const again = (await ann.ask('POST', '/api/sessions/one/claim')).body as typeof claim
      const both = [event('e2', 'e1'), event('e3', 'e2')]
      assert.equal((await ann.send(claim.stream, again, 0, both)).status, 200)
      const other = event('e2', 'e1', { data: { content: 'other' } })
      const refused = await ann.send(claim.stream, again, 1, [event('e4', 'e3'), other])
      assert.equal(refused.status, 409)
      assert.match(refused.text, /Event e2 is there already with other content/)
      const twice = [event('e4', 'e3'), event('e4', 'e3', { data: { content: 'other' } })]
      assert.equal((await ann.send(claim.stream, again, 1, twice)).status, 409)
      assert.equal((await ann.send(claim.stream, again, 1, [event('e4', 'e3')])).status, 200)
      const stored = (await ann.ask('GET', claim.stream)).body as { id: string }[]
      assert.deepEqual(
        stored.map(({ id }) => id),
        ['e1', 'e2', 'e3', 'e4'],
      )
    })

    test('a NUL in a name, a command or an id is no word against the database', async () => {
      await using node = await start()
      const ann = await node.person('ann', { role: 'owner' })
      const claim = await begin(ann, 'one')
      const odd = 'a\0b'
      const told = { name: odd, activity: odd, repository: odd, steerable: true }
      assert.equal((await ann.ask('POST', '/api/sessions/one/heartbeat', told)).status, 200)
      const wanted = await ann.ask(
        'POST',
        '/api/sessions/one/commands',
        command('c1', { content: odd }),
      )
      assert.equal(wanted.status, 202)
      const events = [event(odd, null, { type: odd }), event('e2', odd)]
      assert.equal((await ann.send(claim.stream, claim, 0, events)).status, 200)
      assert.equal((await ann.send(claim.stream, claim, 0, events)).status, 204)
      assert.deepEqual((await ann.ask('GET', claim.stream)).body, events)
      const person = { name: odd, role: 'viewer' }
      assert.ok((await ann.ask('POST', '/api/people', person)).status < 500)
      for (const path of ['/api/sessions?q=%00', '/api/sessions/%00', '/streams/s/%00/0'])
        assert.equal((await ann.ask('GET', path)).status, 400)
    })

    test('a session has an id that may be part of a path, however it is begun', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      for (const id of ['a,b', 'a%2Fb', '%2e%2e%2fx', 'a%0Ab', 'x'.repeat(300), 'CON', 'x.jsonl']) {
        const begun = await ann.ask('POST', `/api/sessions/${id}/claim?begin=true`)
        assert.equal(begun.status, 400, id)
        assert.notEqual((await ann.ask('PUT', `/streams/s/${id}/0`)).status, 201, id)
      }
      assert.deepEqual((await ann.ask('GET', '/api/sessions')).body, { sessions: [], total: 0 })
    })

    test('the session of a task takes commands until the task is over', async () => {
      await using node = await start()
      const ann = await node.person('ann', { role: 'owner' })
      const task = (await ann.ask('POST', '/api/tasks', { prompt: 'x' })).body as {
        id: string
        session: string
      }
      const at = `/api/sessions/${task.session}`
      const worker = { worker: 'w', agent: 'offline', policy: 'asks', slots: 1, busy: 0 }
      await ann.ask('POST', '/api/workers/claim', { ...worker, pool: '', wait: 0 })
      await ann.ask('POST', `${at}/heartbeat`, { steerable: true })
      assert.equal((await ann.ask('POST', `${at}/commands`, command('c1'))).status, 202)
      await ann.ask('POST', `/api/tasks/${task.id}/end`, { worker: 'w', state: 'done' })
      const late = await ann.ask('POST', `${at}/commands`, command('c2'))
      assert.equal(late.status, 409)
      assert.match(late.text, /is over.*remote take/)
      const { isSteerable } = (await ann.ask('GET', at)).body as { isSteerable: boolean }
      assert.equal(isSteerable, false, '--continue does not go on with it')
    })

    test('a worker is listed with what it does, until it ends', async () => {
      await using node = await start()
      const [ann, bob] = await Promise.all([node.person('ann'), node.person('bob')])
      const { id } = (await ann.ask('POST', '/api/tasks', { prompt: 'x' })).body as { id: string }
      const worker = { worker: 'w', agent: 'offline', policy: 'asks', slots: 1, busy: 0 }
      const listed = async () => {
        const { workers } = (await ann.ask('GET', '/api/workers')).body as {
          workers: { id: string; busy: number; isStale: boolean }[]
        }
        return workers.map(({ id: name, busy, isStale }) => [name, busy, isStale])
      }
      await ann.ask('POST', '/api/workers/claim', worker)
      assert.deepEqual(await listed(), [['w', 1, false]])
      // It works for long, and asks for nothing more meanwhile.
      const long = { heard: Date.now() - 2 * 3600 * 1000 }
      await node.db.query.updateTable('workers').set(long).execute()
      assert.deepEqual(await listed(), [])
      await ann.ask('POST', `/api/tasks/${id}/keep`, { worker: 'w' })
      assert.deepEqual(await listed(), [['w', 1, false]])
      assert.equal((await bob.ask('DELETE', '/api/workers/w')).status, 404)
      await ann.ask('POST', `/api/tasks/${id}/end`, { worker: 'w', state: 'done' })
      assert.deepEqual(await listed(), [['w', 0, false]])
      assert.equal((await ann.ask('DELETE', '/api/workers/w')).status, 200)
      assert.deepEqual(await listed(), [])
    })

    test('a token that is revoked or has ended watches and waits no more, within two seconds', async () => {
      await using node = await start()
      const [ann, bob] = await Promise.all([node.person('ann'), node.person('bob')])
      const claim = await begin(ann, 'one')
      await begin(bob, 'two')
      const ends = async (frames: AsyncGenerator<Frame>) => {
        for await (const { event: name } of frames) assert.notEqual(name, 'gone')
      }
      const bobs = bob.frames('/api/stream')
      await bobs.next()
      const open = Promise.all([
        ends(ann.frames('/api/sessions/one/live')),
        ends(ann.frames('/api/stream')),
        ends(ann.frames(`${claim.stream}?offset=-1&live=sse`)),
        ...[
          ann.ask('GET', `${claim.stream}?offset=now&live=long-poll`),
          ann.ask('POST', '/api/sessions/one/commands/claim', { wait: 20 }),
        ].map(async (asked) => assert.equal((await asked).status, 401)),
      ])
      const waiting = () => node.control.tail.waiting
      for (const end = Date.now() + 10_000; waiting() < 5 && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 10))
      const began = Date.now()
      const { tokens } = (await ann.ask('GET', '/api/tokens')).body as { tokens: { id: string }[] }
      await ann.ask('DELETE', `/api/tokens/${tokens[0]?.id}`)
      await open
      assert.ok(Date.now() - began < 4000, `${Date.now() - began} ms`)
      await bob.ask('POST', '/api/sessions/two/heartbeat', { state: 'working' })
      assert.equal((await bobs.next()).done, false, 'another token still holds')
      await bobs.return(undefined)
    })

    test('others steer by a grant that names them and the kinds, until it is taken back', async () => {
      await using node = await start()
      const [ann, bob, eve] = await Promise.all(
        ['ann', 'bob', 'eve'].map((each) => node.person(each)),
      )
      assert.ok(ann && bob && eve)
      await begin(ann, 'one')
      const wants = (who: Client, id: string, kind: string) =>
        who.ask('POST', '/api/sessions/one/commands', command(id, { kind }))
      const grant = (kinds: readonly string[]) =>
        ann.ask('POST', '/api/sessions/one/grants', { person: bob.person, kinds })
      assert.equal((await grant(['abort'])).status, 200)
      // Still private: not even seen.
      assert.equal((await wants(bob, 'b0', 'abort')).status, 404)
      await ann.ask('POST', '/api/sessions/one/sharing', { sharing: 'team' })
      assert.equal((await wants(bob, 'b1', 'abort')).status, 202)
      assert.equal((await wants(bob, 'b2', 'user_message')).status, 403)
      assert.equal((await wants(eve, 'e1', 'abort')).status, 403)
      assert.equal(
        (
          await bob.ask('POST', '/api/sessions/one/grants', {
            person: bob.person,
            kinds: ['steer'],
          })
        ).status,
        403,
      )
      await grant([])
      assert.equal((await wants(bob, 'b3', 'abort')).status, 403)
    })

    test('a screen is told events, notices, presence and a rewind, and goes on after the last event it has', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      const claim = await begin(ann, 'one')
      await ann.send(claim.stream, claim, 0, [event('e1', null), event('e2', 'e1')])
      const delta = { type: 'assistant.message_delta', data: { deltaContent: 'Hel' } }
      const tell = () => ann.ask('POST', '/api/sessions/one/notices', { notices: [delta] })
      assert.deepEqual((await tell()).body, { isWatched: false })
      const frames = ann.frames('/api/sessions/one/live')
      const first = await until(frames, named('ready'))
      assert.deepEqual(eventsIn(first), ['e1', 'e2'])
      assert.equal(first[0]?.event, 'session')
      assert.deepEqual((await tell()).body, { isWatched: true })
      assert.deepEqual((await until(frames, named('notice'))).at(-1)?.data, delta)
      await ann.ask('POST', '/api/sessions/one/heartbeat', {
        state: 'working',
        activity: 'npm test',
      })
      const working = await until(frames, ({ data }) => JSON.stringify(data).includes('npm test'))
      const { presence } = lastOf(working) as {
        presence: { state: string; isStale: boolean; ageMs: number }
      }
      assert.deepEqual([presence.state, presence.isStale], ['working', false])
      assert.ok(presence.ageMs < 10_000)
      const rewound = await ann.ask('PUT', '/streams/s/one/1', undefined, {
        'content-type': 'application/json',
        'stream-forked-from': '/streams/s/one/0',
        'stream-fork-offset': offsetOf(1),
        'producer-id': claim.producer,
        'producer-epoch': String(claim.epoch),
        'producer-seq': '0',
      })
      assert.equal(rewound.status, 201)
      const reset = await until(frames, named('reset'))
      assert.deepEqual(reset.at(-1)?.data, { upToEventId: 'e2' })
      await ann.send('/streams/s/one/1', claim, 0, [event('e3', 'e1')])
      assert.deepEqual(eventsIn(await until(frames, named('event'))), ['e3'])
      await frames.return(undefined)
      const later = ann.frames('/api/sessions/one/live?after=e1')
      assert.deepEqual(eventsIn(await until(later, named('ready'))), ['e3'])
      await later.return(undefined)
      const lost = ann.frames('/api/sessions/one/live?after=e2')
      const again = await until(lost, named('ready'))
      assert.deepEqual([again[0], ...eventsIn(again)], [{ event: 'reset', data: {} }, 'e1', 'e3'])
      await lost.return(undefined)
    })

    test('a list that is open hears of what its reader may see, and of nothing else', async () => {
      await using node = await start()
      const [ann, bob] = await Promise.all(['ann', 'bob'].map((each) => node.person(each)))
      assert.ok(ann && bob)
      await begin(ann, 'shared')
      await ann.ask('POST', '/api/sessions/shared/sharing', { sharing: 'team' })
      const list = bob.frames('/api/stream')
      await until(list, named('ready'))
      // A first look is under way: something that moves until it is told.
      const frames: Frame[] = []
      const heard = new AbortController()
      const reading = (async () => {
        for await (const frame of list) {
          heard.abort()
          frames.push(frame)
          if ((frame.data as { kind: string }).kind === 'deleted') return
        }
      })()
      for (let at = 0; !heard.signal.aborted; at++) {
        await begin(ann, `private-${at}`)
        await ann.ask('POST', '/api/sessions/shared/heartbeat', { activity: `step ${at}` })
      }
      await ann.ask('POST', '/api/sessions/shared/sharing', { sharing: 'private' })
      await reading
      assert.deepEqual(
        [...new Set(frames.map(({ data }) => (data as { id: string }).id))],
        ['shared'],
      )
    })
  })
}
