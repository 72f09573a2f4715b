/** Sessions that go on elsewhere: from a person's work tree to a worker and back, for people and for SDK programs. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startNode } from '../control/node.ts'
import { makePlace } from '../e2e/cli.ts'
import { makeRpcPlace } from '../rpc/place.ts'
import { joinAs, makeRepository, taskUntil, type ToldTask } from './worker-rounds.ts'

test('a session goes to a worker with its changes, and comes back with what was changed there', async () => {
  await using node = await startNode()
  using repository = makeRepository()
  using laptop = makePlace()
  using machine = makePlace()
  const ann = await node.person('ann')
  await joinAs(laptop, node.url, ann, repository.folder)
  await joinAs(machine, node.url, ann, repository.folder)
  const at = { cwd: repository.work }
  const git = (...args: string[]) => execFileSync('git', args, at).toString()
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await laptop.run(args, at)
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const logOf = (id: string) =>
    readFileSync(join(laptop.home, 'session-state', id, 'events.jsonl'), 'utf8')

  const begun = crypto.randomUUID()
  await ok('--resume', begun, '--allow-all', '-p', 'run echo heronblue')
  await ok('sessions', 'plan', begun, '--set', 'first this, then that')
  writeFileSync(join(repository.work, 'a.txt'), 'one\nmine\n')
  const { task } = JSON.parse(
    await ok('sessions', 'handoff', begun, 'run echo theirs >> a.txt', '--yes', '--json'),
  ) as { task: ToldTask }
  assert.match(logOf(begun), /Handed over to a worker/)

  const worker = machine.start([
    'worker',
    '--projects',
    join(repository.folder, 'projects'),
    '--allow-all',
  ])
  try {
    const done = await taskUntil(ann, task.id, ({ state }) => /done|failed/.test(state))
    assert.equal(done.state, 'done', done.reason ?? '')
    assert.match(done.result?.diff ?? '', /\+mine\n\+theirs\n/)
    const { body } = await ann.ask('GET', `/streams/s/${task.session}/0?offset=-1`)
    const handed = (body as { type: string; data: { context?: string } }[]).find(
      ({ type }) => type === 'session.handoff',
    )
    assert.match(handed?.data.context ?? '', /heronblue/)

    const own = await machine.run(['remote', 'take', task.id.slice(0, 8)], at)
    assert.match(own.stderr, /is a session of this home/)
    const refused = await laptop.run(['remote', 'take', task.id.slice(0, 8)], at)
    assert.match(refused.stderr, /not committed: a\.txt/)
    git('checkout', '-q', '--', '.')
    git('switch', '-q', '-c', 'elsewhere')
    const back = JSON.parse(await ok('remote', 'take', task.id.slice(0, 8), '--json')) as {
      id: string
      progress: { step: string; status: string }[]
    }
    assert.deepEqual(
      back.progress.filter(({ status }) => status === 'complete').map(({ step }) => step),
      [
        'load-session',
        'validate-repo',
        'check-changes',
        'checkout-branch',
        'create-session',
        'save-session',
      ],
    )
    assert.equal(git('branch', '--show-current').trim(), 'main')
    assert.equal(readFileSync(join(repository.work, 'a.txt'), 'utf8'), 'one\nmine\ntheirs\n')
    const events = logOf(back.id)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; parentId: string | null; type: string })
    events.forEach(({ parentId }, place) => assert.equal(parentId, events[place - 1]?.id ?? null))
    assert.ok(events.some(({ type }) => type === 'session.handoff'))
    const { session } = await laptop.json<{ session: { cwd: string } }>([
      'sessions',
      'show',
      back.id,
    ])
    assert.equal(session.cwd, repository.work)
    await ok('--resume', back.id, '--allow-all', '-p', 'run echo and on it goes')
    assert.match(await ok('search', 'theirs'), new RegExp(back.id.slice(0, 8)))

    await using place = makeRpcPlace()
    Object.assign(place.env, { REPRISE_CONTROL_URL: node.url, REPRISE_CONTROL_TOKEN: ann.token })
    const client = place.client()
    await client.start()
    const { sessions } = client.rpc
    const { sessions: far } = await sessions.list({ source: 'remote' })
    const metadata = far.find(({ sessionId }) => sessionId === task.session)
    assert.equal(metadata?.isRemote, true)
    const joined = await sessions.connect({ sessionId: task.session })
    assert.equal(joined.metadata.kind, 'remote-session')
    const opened = await sessions.open({ kind: 'remote', remoteSessionId: task.id })
    assert.deepEqual([opened.status, opened.sessionId], ['connected', task.session])
    assert.equal(
      (await sessions.open({ kind: 'remote', remoteSessionId: 'none' })).status,
      'not_found',
    )
    assert.deepEqual(await sessions.findByTaskId({ taskId: 'none' }), {})
    const cloud = await sessions.open({ kind: 'cloud' })
    assert.equal(cloud.status, 'created')
    assert.notEqual(cloud.sessionId, task.session)
  } finally {
    worker.kill()
    await once(worker, 'exit')
  }
})
