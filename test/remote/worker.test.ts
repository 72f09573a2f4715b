/** Tasks and workers: a server, people and workers with homes of their own, and a repository that is cloned. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { startNode } from '../control/node.ts'
import { makePlace } from '../e2e/cli.ts'
import { joinAs, makeRepository, taskUntil, workerRounds, type ToldTask } from './worker-rounds.ts'

test('changes go along as a patch without secrets and ignored files, and come back as a branch and a diff', async () => {
  await using node = await startNode()
  using repository = makeRepository()
  using laptop = makePlace()
  using machine = makePlace()
  const ann = await node.person('ann')
  const builder = await node.person('builder', { role: 'owner' })
  await joinAs(laptop, node.url, ann, repository.folder)
  await joinAs(machine, node.url, builder, repository.folder)
  writeFileSync(join(repository.work, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(repository.work, '.env'), 'SECRET=1\n')
  writeFileSync(join(repository.work, 'key.txt'), `gh${'p'}_${'a1B2c3D4e5F6'.repeat(3)}\n`)
  const at = { cwd: repository.work }
  const prompt = 'run echo three >> a.txt; ls -a; printenv | grep -c REPRISE_CONTROL || true'
  const asked = await laptop.run(['tasks', 'start', '-p', prompt], at)
  assert.equal(asked.code, 2, 'it is shown and asked first')
  const started = await laptop.json<{ task: ToldTask }>(
    ['tasks', 'start', '-p', prompt, '--yes'],
    at,
  )
  const { id } = started.task

  const env = { REPRISE_CONTROL_URL: node.url, REPRISE_CONTROL_TOKEN: builder.token }
  const worker = machine.start(
    ['worker', '--projects', join(repository.folder, 'projects'), '--allow-all'],
    { env },
  )
  try {
    const { state, result } = await taskUntil(ann, id, (task) => /done|failed/.test(task.state))
    assert.equal(state, 'done')
    assert.match(result?.diff ?? '', /\+two\n\+three\n/)
    assert.doesNotMatch(result?.diff ?? '', /key\.txt|\.env/)
    assert.match(result?.answer ?? '', /\n0\n/, 'the agent is not given the token')
    const shown = await laptop.run(['tasks', 'show', id.slice(0, 8)])
    assert.match(shown.stdout, /branch reprise\//)
    const { sessions } = await laptop.json<{ sessions: { id: string; isRemote: boolean }[] }>([
      'sessions',
      'list',
      '--remote',
    ])
    assert.ok(sessions.some((each) => each.id === started.task.session && each.isRemote))
    const bob = await node.person('bob')
    assert.equal((await bob.ask('GET', `/api/tasks/${id}`)).status, 404)
    assert.equal((await bob.ask('GET', `/api/sessions/${started.task.session}`)).status, 404)

    const refused = { prompt: 'x', repository: { url: 'https://elsewhere.example/a/b' } }
    const other = (await ann.ask('POST', '/api/tasks', refused)).body as ToldTask
    const failed = await taskUntil(ann, other.id, (task) => task.state === 'failed')
    assert.match(failed.reason ?? '', /not among worker\.hosts/)

    const long = (await ann.ask('POST', '/api/tasks', { prompt: 'run sleep 60' })).body as ToldTask
    await taskUntil(ann, long.id, (task) => task.state === 'running')
    assert.equal((await laptop.run(['tasks', 'cancel', long.id])).code, 0)
    await taskUntil(ann, long.id, (task) => task.state === 'cancelled')
  } finally {
    worker.kill()
    await once(worker, 'exit')
  }
})

test('a worker is killed in the middle, and another one goes on from the log', async () => {
  assert.equal(await workerRounds({ kills: 1, steps: 3, random: () => 0.3 }), 2)
})
