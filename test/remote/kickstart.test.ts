/** Sessions that a person starts on another machine of theirs: only where that machine allows it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { test } from 'node:test'
import { startNode } from '../control/node.ts'
import { makePlace } from '../e2e/cli.ts'
import { inRepository, joinNode, logOf, ok, until } from './homes.ts'

type ToldTask = {
  readonly id: string
  readonly session: string
  readonly state: string
  readonly reason: string | null
}

test('a session begins in a project that its machine named, once, and nowhere else', async () => {
  await using node = await startNode(undefined, { taskLeaseMs: 1500 })
  using desk = makePlace()
  using laptop = makePlace()
  const ann = await node.person('ann')
  for (const place of [desk, laptop]) {
    inRepository(place.project, 'ada/parser')
    await joinNode(place, node, ann, 'off')
  }
  const machine = 'ann-laptop'
  assert.match((await desk.run(['remote', 'kickstart'])).stderr, /no terminal to ask in/)
  const features = async () => (await desk.run(['features'])).stdout
  assert.match(await features(), /remoteKickstart: off/)

  const start = async (prompt: string): Promise<ToldTask> => {
    const { task } = await laptop.json<{ task: ToldTask }>([
      'tasks',
      'start',
      '--machine',
      machine,
      '-p',
      prompt,
    ])
    return task
  }
  const over = ({ id }: ToldTask) =>
    until(async () => {
      const { body } = await ann.ask('GET', `/api/tasks/${id}`)
      const task = body as ToldTask
      return task.state === 'done' || task.state === 'failed' ? task : undefined
    })
  const refusedBefore = await start('while nobody allows it')
  const web = ['web', '--no-open', '--port', '0']
  {
    const child = desk.start(web)
    await once(child.stdout!, 'data')
    const { body } = await ann.ask('GET', `/api/tasks/${refusedBefore.id}`)
    assert.equal((body as ToldTask).state, 'queued')
    child.kill()
    await once(child, 'exit')
  }
  await ok(desk, 'remote', 'kickstart', '--yes')
  assert.match(await features(), /remoteKickstart: on/)
  const child = desk.start(web)
  try {
    const first = await over(refusedBefore)
    assert.equal(first.state, 'done', first.reason ?? '')
    const { session } = await over(await start('kicked from the laptop'))
    const log = await until(async () => {
      const lines = logOf(desk, session)
      return lines.some((line) => line.includes('"type":"assistant.message"')) ? lines : undefined
    })
    assert.equal(
      log.filter(
        (line) => line.includes('kicked from the laptop') && line.includes('"user.message"'),
      ).length,
      1,
    )
    const { cwd } = (JSON.parse(log[0] ?? '{}') as { data: { context: { cwd: string } } }).data
      .context
    assert.equal(realpathSync(cwd), realpathSync(desk.project))
    const steered = await laptop.run(['--connect', session, '-p', 'and go on'])
    assert.equal(steered.code, 0, steered.stderr)

    const { body } = await ann.ask('POST', '/api/tasks', {
      prompt: 'elsewhere',
      pool: `machine:${machine}`,
      repository: { url: 'https://github.com/ada/other.git' },
    })
    const refused = await over(body as ToldTask)
    assert.deepEqual(
      [refused.state, refused.reason?.includes('starts no session in ada/other')],
      ['failed', true],
    )
  } finally {
    child.kill()
    await once(child, 'exit')
  }
  const server = desk.start(['--server', '--port', '0'])
  try {
    const { session } = await over(await start('kicked beside a server'))
    const said = await until(async () => {
      const lines = logOf(desk, session)
      return lines.some((line) => line.includes('"type":"assistant.message"')) ? lines : undefined
    })
    assert.ok(said.some((line) => line.includes('kicked beside a server')))
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})
