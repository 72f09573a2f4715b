/** Launch options of the Copilot CLI that mean something here do it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { openDesk, skip } from './tmux.ts'
import { lines, makePlace } from './cli.ts'

type Told = { readonly type: string; readonly data: Record<string, unknown> }

test('--yolo and --allow-all-tools allow, --allow-tool allows some, and --deny-tool wins over all', async () => {
  using place = makePlace()
  const refused = async (...words: string[]) =>
    (await place.run(['-p', 'run touch made', ...words])).stderr.includes('✗')
  assert.equal(await refused(), true)
  assert.equal(await refused('--yolo'), false)
  assert.equal(await refused('--allow-all-tools'), false)
  assert.equal(await refused('--allow-tool', 'shell(touch:*)'), false)
  assert.equal(await refused('--allow-tool=shell(ls)'), true)
  assert.equal(await refused('--yolo', '--deny-tool', 'shell(touch)'), true)
})

test('--allow-all-tools asks for what is outside of the project, --allow-all-paths and --add-dir allow it', async () => {
  using place = makePlace()
  const refused = async (prompt: string, ...words: string[]) =>
    (await place.run(['-p', prompt, '--allow-all-tools', ...words])).stderr.includes('✗')
  const above = dirname(place.project)
  const outside = `run touch ${above}/made`
  assert.equal(await refused('run touch made'), false)
  assert.equal(await refused(outside), false, 'the temporary directory may be used')
  assert.equal(await refused(outside, '--disallow-temp-dir'), true)
  assert.equal(await refused('run touch ../made', '--disallow-temp-dir'), true)
  assert.equal(await refused(outside, '--disallow-temp-dir', '--add-dir', above), false)
  assert.equal(await refused(outside, '--disallow-temp-dir', '--allow-all-paths'), false)
  assert.equal(await refused(outside, '--disallow-temp-dir', '--allow-all'), false)
})

test('--silent prints the answer alone, --share writes the session, --output-format json is --json', async () => {
  using place = makePlace()
  const { code, stderr } = await place.run(['-s', '--yolo', '-p', 'run echo hello'])
  assert.deepEqual([code, stderr], [0, ''])
  const shared = await place.run(['-s', '--share', 'talk.md', '-p', 'status'])
  assert.equal(shared.code, 0)
  assert.match(readFileSync(join(place.project, 'talk.md'), 'utf8'), /status/)
  const { stdout } = await place.run(['--output-format', 'json', '-p', 'status'])
  assert.ok(lines<Told>(stdout).some(({ type }) => type === 'assistant.message'))
})

test('--plan and --mode set the mode, --session-id is the id, --attachment goes with the message', async () => {
  using place = makePlace()
  writeFileSync(join(place.project, 'notes.txt'), 'a note')
  const id = crypto.randomUUID()
  const words = [
    '--session-id',
    id,
    '--plan',
    '--attachment',
    'notes.txt',
    '--json',
    '-p',
    'status',
  ]
  const told = lines<Told>((await place.run(words)).stdout)
  const changed = told.find(({ type }) => type === 'session.mode_changed')
  assert.equal(changed?.data['newMode'], 'plan')
  const message = told.find(({ type }) => type === 'user.message')
  assert.deepEqual(message?.data['attachments'], [
    {
      type: 'file',
      path: join(realpathSync(place.project), 'notes.txt'),
      displayName: 'notes.txt',
      taggedFilesEntry: `* ${join(realpathSync(place.project), 'notes.txt')} (1 lines)`,
    },
  ])
  assert.equal((await place.run(['sessions', 'show', id])).code, 0)
})

test('-C and --cwd move where it works, before a command and behind it', async () => {
  using place = makePlace()
  const elsewhere = join(place.project, 'elsewhere')
  mkdirSync(elsewhere)
  await place.run(['-C', 'elsewhere', '--yolo', '-p', 'run touch here'])
  assert.equal(existsSync(join(elsewhere, 'here')), true)
  assert.equal(
    (await place.run(['export', '@latest', '-o', 'out.html', '-C', 'elsewhere'])).code,
    0,
  )
  assert.equal(existsSync(join(elsewhere, 'out.html')), true)
  assert.equal((await place.run(['--cwd', 'elsewhere', 'debug', 'bundle', '-o', 'b.tgz'])).code, 0)
  assert.equal(existsSync(join(elsewhere, 'b.tgz')), true)
})

test('-i sends a first message and stays; line by line it ends with its input', async () => {
  using place = makePlace()
  const { code, stdout } = await place.run(['-i', 'run echo first', '--plain', '--yolo'], {
    input: 'run echo second\n',
  })
  assert.equal(code, 0)
  assert.match(stdout, /first[\s\S]*second/)
  const { sessions } = await place.json<{ sessions: { turns: number }[] }>(['sessions', 'list'])
  assert.deepEqual(
    sessions.map(({ turns }) => turns),
    [2],
  )
  assert.match((await place.run(['-i', 'hello'])).stderr, /there is none\. Give -p, or --plain/)
})

test('--plain reads a piped stdin line by line: /undo takes back, and nothing runs again', async () => {
  using place = makePlace()
  const made = join(place.project, 'f.txt')
  const input = ['run echo one > f.txt', '/undo', '/nonsense', 'run echo two >> g.txt'].join('\n')
  const { code, stdout, stderr } = await place.run(['--plain', '--allow-all'], { input })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /Took back 1 turn[\s\S]*There is no \/nonsense/)
  assert.equal(existsSync(made), false)
  assert.equal(readFileSync(join(place.project, 'g.txt'), 'utf8'), 'two\n')
  const { sessions } = await place.json<{ sessions: { turns: number }[] }>(['sessions', 'list'])
  assert.deepEqual(
    sessions.map(({ turns }) => turns),
    [1],
  )
  const one = await place.run(['--allow-all'], { input: 'run echo three\n/undo\n' })
  assert.equal(one.code, 0)
  assert.equal((await place.json<{ total: number }>(['sessions', 'list'])).total, 2)
})

test('tools, servers, effort and instructions of a model follow the options of one start', async () => {
  using place = makePlace()
  await using server = await startModelServer(() => ({ text: 'Done.' }))
  writeFileSync(join(place.project, 'AGENTS.md'), 'Always say please.')
  const mcp = join(import.meta.dirname, '../model-server/mcp-server.ts')
  writeFileSync(
    join(place.project, 'servers.json'),
    JSON.stringify({ mcpServers: { mine: { command: process.execPath, args: [mcp] } } }),
  )
  const env = {
    REPRISE_AGENT: 'model',
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: 'not-a-key',
  }
  const asked = async (...words: string[]) => {
    const { code, stderr } = await place.run(['--model', 'mock', '-p', 'hello', ...words], { env })
    assert.equal(code, 0, stderr)
    const { raw = '' } = server.requests.at(-1) ?? {}
    const { tools = [] } = JSON.parse(raw) as { tools?: { function: { name: string } }[] }
    return { raw, tools: tools.map((tool) => tool.function.name) }
  }
  const usual = await asked()
  assert.match(usual.raw, /Always say please/)
  assert.ok(usual.tools.includes('bash') && usual.tools.includes('view'))
  const fewer = await asked(
    '--no-custom-instructions',
    '--excluded-tools',
    'bash',
    '--reasoning-effort',
    'low',
  )
  assert.doesNotMatch(fewer.raw, /Always say please/)
  assert.deepEqual(
    fewer.tools,
    usual.tools.filter((name) => name !== 'bash'),
  )
  assert.match(fewer.raw, /"reasoning_effort":"low"/)
  assert.deepEqual((await asked('--available-tools', 'bash', 'view')).tools.toSorted(), [
    'bash',
    'view',
  ])
  const more = await asked('--additional-mcp-config', '@servers.json')
  assert.ok(
    more.tools.some((name) => name.includes('echo')),
    more.tools.join(' '),
  )
  const without = await asked(
    '--additional-mcp-config',
    '@servers.json',
    '--disable-mcp-server',
    'mine',
  )
  assert.deepEqual(without.tools, usual.tools)
  const wrong = await place.run(['-p', 'hello', '--additional-mcp-config', '{"a": 1}'], { env })
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /--additional-mcp-config wants \{"mcpServers"/)
})

test('-i in a terminal sends its message and stays', { skip }, async () => {
  using desk = openDesk()
  const window = desk.open(['-i', 'run echo hel""lo', '--yolo'])
  await window.shows(/│ hello/)
  await window.shows(/commands · \? help/)
  window.enter('/exit')
  await window.ends()
})
