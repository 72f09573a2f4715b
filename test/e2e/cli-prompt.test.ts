/** One message from the command line: the answer, the stream, who may be asked, and how it is stopped. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lines, makePlace } from './cli.ts'

type Line = {
  type: string
  id?: string
  parentId?: string | null
  ephemeral?: true
  data: Record<string, unknown>
}

const stored = (home: string, id: string) =>
  lines<Line>(readFileSync(join(home, 'session-state', id, 'events.jsonl'), 'utf8'))

test('the answer goes to stdout and what the agent does to stderr', async () => {
  using place = makePlace()
  const { code, stdout, stderr } = await place.run(['--allow-all', '-p', 'run echo one-two'])
  assert.equal(code, 0)
  assert.match(stdout, /one-two/)
  assert.match(stderr, /▸ .*echo one-two/)
  assert.match(stderr, /✓/)
})

test('the prompt may come through a pipe, with -p - or without', async () => {
  using place = makePlace()
  for (const args of [['-p', '-'], []]) {
    const { code, stdout } = await place.run(['--allow-all', ...args], {
      input: 'run echo piped\n',
    })
    assert.equal(code, 0)
    assert.match(stdout, /piped/)
  }
})

test('an empty prompt is a mistake and leaves nothing behind', async () => {
  using place = makePlace()
  assert.equal((await place.run([])).code, 2)
  assert.equal((await place.run(['-p', ' '])).code, 2)
  assert.equal(existsSync(join(place.home, 'session-state')), false)
})

test('--json prints every stored event of the turn, in order, and nothing else', async () => {
  using place = makePlace()
  const id = crypto.randomUUID()
  const { code, stdout } = await place.run(['--resume', id, '--json', '-p', 'hello there'])
  assert.equal(code, 0)
  const shown = lines<Line>(stdout)
  const types = shown.map(({ type }) => type)
  assert.deepEqual(types.slice(0, 2), ['session.start', 'user.message'])
  assert.equal(types.at(-1), 'assistant.turn_end')
  const log = stored(place.home, id)
  assert.deepEqual(shown, log.slice(0, shown.length))
  assert.deepEqual(
    log.slice(shown.length).map(({ type }) => type),
    ['session.shutdown'],
  )
})

test('--stream adds notices and marks them as not stored', async () => {
  using place = makePlace()
  const { stdout } = await place.run(['--json', '--stream', '-p', 'hello'])
  const notices = lines<Line>(stdout).filter(({ ephemeral }) => ephemeral === true)
  assert.equal(
    notices.some(({ type }) => type === 'assistant.message_delta'),
    true,
  )
})

test('a resumed turn is streamed from its own beginning, not from that of the session', async () => {
  using place = makePlace()
  const id = await place.session('hello')
  const { stdout } = await place.run(['--resume', id, '--json', '-p', 'again'])
  const types = lines<Line>(stdout).map(({ type }) => type)
  assert.deepEqual(types.slice(0, 2), ['session.resume', 'user.message'])
  assert.equal(types.includes('session.start'), false)
})

test('without a terminal, reading is allowed and the rest is refused by nobody', async () => {
  using place = makePlace()
  writeFileSync(join(place.project, 'note.txt'), 'the content of the note')
  const read = await place.run(['-p', 'read note.txt'])
  assert.match(read.stdout, /the content of the note/)
  const id = crypto.randomUUID()
  const write = await place.run(['--resume', id, '-p', 'run touch made.txt'])
  assert.match(write.stderr, /refused run touch made\.txt.*--allow-all/)
  assert.equal(existsSync(join(place.project, 'made.txt')), false)
  const decided = stored(place.home, id).find(({ type }) => type === 'permission.completed')
  assert.deepEqual(
    [decided?.data.result, decided?.data.decisionSource],
    [{ kind: 'denied-no-approval-rule-and-could-not-request-from-user' }, 'unattended_fallback'],
  )
})

test('a running turn keeps others out with 4; Ctrl-C cancels it, records it and exits with 130', async () => {
  using place = makePlace()
  const id = crypto.randomUUID()
  const child = place.start(['--resume', id, '--allow-all', '--json', '-p', 'run sleep 60'])
  child.stdin?.end()
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  let told = ''
  for await (const chunk of child.stdout ?? []) {
    told += String(chunk)
    if (!told.includes('tool.execution_start')) continue
    const busy = await place.run(['--resume', id, '--wait', '0', '-p', 'me too'])
    assert.equal(busy.code, 4)
    assert.match(busy.stderr, /busy in another process/)
    child.kill('SIGINT')
    break
  }
  child.stdout?.resume()
  assert.equal(await code, 130)
  const types = stored(place.home, id).map(({ type }) => type)
  assert.deepEqual(
    types.filter((type) => type === 'abort'),
    ['abort'],
  )
  assert.equal((await place.run(['--resume', id, '-p', 'still there?'])).code, 0)
})

test('choices that contradict each other are explained', async () => {
  using place = makePlace()
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--resume', 'x', '--continue', '-p', 'a'], /both choose a session/],
    [['--continue', '-n', 'x', '-p', 'a'], /it names a new session/],
    [['--resume', 'x', '-n', 'y', '-p', 'a'], /it names a new session/],
    [['--cloud', '-p', 'a'], /--cloud and --prompt do not go together/],
    [['--stream', '-p', 'a'], /--json/],
    [['--cwd', 'nowhere', '-p', 'a'], /no directory/],
    [['--wait', 'soon', '-p', 'a'], /whole number/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await place.run(args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, message)
  }
})

test('--resume without a value and without a terminal names the newest five', async () => {
  using place = makePlace()
  const id = await place.session('hello')
  const { code, stderr } = await place.run(['-p', 'a', '--resume'])
  assert.equal(code, 2)
  assert.match(stderr, /--continue/)
  assert.match(stderr, new RegExp(id.slice(0, 8)))
})

test('--resume takes an id, its beginning and a name; --name gives one', async () => {
  using place = makePlace()
  await place.run(['-n', 'My Work', '-p', 'hello'])
  const { sessions } = await place.json<{ sessions: { id: string; name: string }[] }>([
    'sessions',
    'list',
  ])
  const id = sessions[0]?.id ?? ''
  for (const word of [id, id.slice(0, 6), 'my work']) {
    assert.equal((await place.run(['--resume', word, '-p', 'on'])).code, 0)
  }
  const turns = stored(place.home, id).filter(({ type }) => type === 'user.message')
  assert.equal(turns.length, 4)
})

test('what fits no session, or several, or an old flat file, is told apart', async () => {
  using place = makePlace()
  await place.run(['-n', 'twin', '-p', 'hello'])
  await place.run(['-n', 'twin', '-p', 'hello'])
  writeFileSync(join(place.home, 'session-state', `${crypto.randomUUID()}.jsonl`), '{}\n')
  const flat = (await place.json<{ legacy: string[] }>(['sessions', 'list'])).legacy[0] ?? ''
  const none = await place.run(['--resume', 'twinn', '-p', 'a'])
  assert.equal(none.code, 3)
  assert.match(none.stderr, /Did you mean "twin"/)
  const several = await place.run(['--resume', 'twin', '-p', 'a', '--json'])
  assert.equal(several.code, 3)
  const { error } = JSON.parse(several.stderr) as {
    error: { code: string; details: { ids: string[] } }
  }
  assert.deepEqual([error.code, error.details.ids.length], ['ambiguous', 2])
  const legacy = await place.run(['--resume', flat.replace('.jsonl', ''), '-p', 'a'])
  assert.equal(legacy.code, 5)
  assert.match(legacy.stderr, /older format/)
})

test('--continue goes on with the nearest session, and exits with 3 when there is none', async () => {
  using place = makePlace()
  const none = await place.run(['--continue', '-p', 'a'])
  assert.equal(none.code, 3)
  assert.match(none.stderr, /no session to continue/)
  const id = await place.session('hello')
  assert.equal((await place.run(['--continue', '-p', 'more'])).code, 0)
  assert.equal(stored(place.home, id).filter(({ type }) => type === 'user.message').length, 2)
})

test('what a hook queues at the start of a new session is sent after its first message, once', async () => {
  using place = makePlace()
  const hook = `cat >/dev/null; echo '{"prompts":["run echo queued-one",7," ","run echo queued-two"]}'`
  const hooks = JSON.stringify([{ command: hook }])
  assert.equal((await place.run(['config', 'set', 'hooks.sessionStart', hooks])).code, 0)
  const id = crypto.randomUUID()
  const first = await place.run(['--resume', id, '--allow-all', '-p', 'run echo typed'])
  assert.equal(first.code, 0)
  for (const word of ['typed', 'queued-one', 'queued-two'])
    assert.match(first.stdout, new RegExp(word))
  await place.run(['--resume', id, '--allow-all', '-p', 'run echo later'])
  const said = stored(place.home, id).filter(({ type }) => type === 'user.message')
  assert.deepEqual(
    said.map(({ data: { content, source } }) => ({ content, source })),
    [
      { content: 'run echo typed', source: undefined },
      { content: 'run echo queued-one', source: 'hook' },
      { content: 'run echo queued-two', source: 'hook' },
      { content: 'run echo later', source: undefined },
    ],
  )
  assert.equal(stored(place.home, id).filter(({ type }) => type === 'abort').length, 0)
})
