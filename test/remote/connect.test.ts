/** Sessions of another machine in lists, and joined from here: two homes, one server, real processes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startNode, type Client } from '../control/node.ts'
import { connectClient, type Told } from '../acp/place.ts'
import { makePlace } from '../e2e/cli.ts'
import { joinNode, logOf, ok, until } from './homes.ts'

type Listed = {
  readonly sessions: readonly {
    readonly id: string
    readonly isRemote: boolean
    readonly name?: string
    readonly remote?: { readonly machine: string }
  }[]
  readonly far?: { readonly trouble?: string }
}

type Option = { readonly optionId: string; readonly kind: string }

const isSteered = (client: Client, id: string) =>
  until(async () => {
    const { body } = await client.ask('GET', `/api/sessions/${id}`)
    return (body as { isSteerable?: boolean } | undefined)?.isSteerable || undefined
  })

test('a list has both, marked; a name and the beginning of an id join the other machine; offline it says so', async () => {
  using laptop = makePlace()
  using desk = makePlace()
  const node = await startNode()
  await using ended = new AsyncDisposableStack()
  ended.use(node)
  const client = await node.person('ann')
  await joinNode(desk, node, client, 'steer')
  await joinNode(laptop, node, client, 'off')
  const far = await desk.session('hello from the desk')
  await ok(desk, 'sessions', 'rename', far, 'Desk work')
  const here = await laptop.session('hello from the laptop')

  const { sessions } = await laptop.json<Listed>(['sessions', 'list', '--remote'])
  assert.deepEqual(
    sessions.map(({ id, isRemote, name }) => [id, isRemote, name]),
    [
      [here, false, 'hello from the laptop'],
      [far, true, 'Desk work'],
    ],
  )
  assert.deepEqual(
    (await laptop.json<Listed>(['sessions', 'list'])).sessions.map(({ id }) => id),
    [here],
  )

  const child = desk.start(['--resume', far, '--plain'])
  try {
    await isSteered(client, far)
    await ok(laptop, '--connect', 'desk WORK', '-p', 'said by name')
    await ok(laptop, '--resume', far.slice(0, 8), '-p', 'said by prefix')
    await ok(laptop, '--connect', far, '-p', 'said by id')
    const log = logOf(desk, far).join('\n')
    for (const text of ['said by name', 'said by prefix', 'said by id'])
      assert.equal(log.split(`"content":"${text}"`).length, 2, text)
    assert.match(log, /"surface":"mission-control"/)

    const served = laptop.start(['--acp', '--connect', far])
    const editor = await connectClient(served.stdout!, served.stdin!)
    const begun = await editor.request<{ sessionId: string }>('session/new', {
      cwd: tmpdir(),
      mcpServers: [],
    })
    assert.equal(begun.sessionId, far)
    const said = (text: string) => (update: Told) =>
      JSON.stringify(update['content'] ?? '').includes(text)
    await editor.until(said('said by id'))
    assert.equal(
      editor.order.indexOf('update') > editor.order.indexOf('answer to session/new'),
      true,
    )
    await editor.request('session/prompt', {
      sessionId: far,
      prompt: [{ type: 'text', text: 'said by an editor' }],
    })
    assert.match(logOf(desk, far).join('\n'), /said by an editor/)

    // The machine lets nobody allow more than once from afar: who chose that is asked again, for once.
    const offered: string[][] = []
    editor.answers['session/request_permission'] = ({ options }: { options: Option[] }) => {
      offered.push(options.map(({ kind }) => kind))
      const { optionId } = options.find(({ kind }) => kind === 'allow_always') ?? options[0]!
      return { outcome: { outcome: 'selected', optionId } }
    }
    await editor.request('session/prompt', {
      sessionId: far,
      prompt: [{ type: 'text', text: 'run echo allowed > once.txt' }],
    })
    assert.deepEqual(offered, [
      ['allow_once', 'allow_always', 'reject_once'],
      ['allow_once', 'reject_once'],
    ])
    assert.equal(readFileSync(join(desk.project, 'once.txt'), 'utf8'), 'allowed\n')
    served.kill()

    const twoFit = await laptop.run(['--connect', 'hello from nowhere', '-p', 'x'])
    assert.equal(twoFit.code, 3, twoFit.stderr)
    const own = await laptop.run(['--connect', here, '-p', 'x'])
    assert.match(own.stderr, /is a session of this home/)
    const bare = await laptop.run(['--connect', '-p', 'x'])
    assert.match(bare.stderr, /needs a terminal to choose in.*\n.*Desk work {2}on /)
  } finally {
    child.kill()
  }
  for (const [flags, words] of [
    [['--connect', far, '--resume', here], /--connect and --resume do not go together/],
    [['--connect', far, '--continue'], /--connect and --continue do not go together/],
    [['--connect', far, '--name', 'x'], /--connect and --name do not go together/],
    [['--cloud', '--connect', far], /--cloud and --connect do not go together/],
    [['--ui-server', '--connect', far], /has a page of its own/],
  ] as const) {
    const { code, stderr } = await laptop.run([...flags])
    assert.equal(code, 2, stderr)
    assert.match(stderr, words)
  }

  await ended.disposeAsync()
  const { far: news, sessions: known } = await laptop.json<Listed>(['sessions', 'list', '--remote'])
  assert.match(news?.trouble ?? '', /does not answer/)
  assert.deepEqual(
    known.map(({ id }) => id),
    [here, far],
  )
  const { stderr } = await laptop.run(['sessions', 'list', '--remote'])
  assert.match(stderr, /Mission Control could not be asked.*was so/)
  assert.match((await laptop.run(['--connect', far, '-p', 'x'])).stderr, /does not answer/)
})

test('without a Mission Control --connect says so, and a new id still begins a session', async () => {
  using place = makePlace()
  const { code, stderr } = await place.run(['--connect', 'x', '-p', 'y'])
  assert.equal(code, 3)
  assert.match(stderr, /No Mission Control is configured/)
  await place.session('hello')
})
