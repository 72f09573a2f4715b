/** What happens at a terminal: questions, choices and the start screen, with a person who types. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Agent, PermissionPolicy } from '../../engine/agent.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { openEngine, openMemory } from '../../index.ts'
import type { Host, TerminalOptions } from './command.ts'
import { runCli } from './run.ts'

/** Wants to run `rm -rf /tmp/x` as often as it is told to, and says what it was answered. */
const asking = (times = 1): Agent => ({
  name: 'asking',
  async *run(turn) {
    const answers: string[] = []
    for (let at = 0; at < times; at++) {
      const { kind } = await turn.permit({
        kind: 'shell',
        toolCallId: crypto.randomUUID(),
        intention: 'clean up',
        fullCommandText: 'rm -rf \x1b[2J/tmp/x',
        commands: [],
        possiblePaths: [],
        possibleUrls: [],
        hasWriteFileRedirection: false,
        canOfferSessionApproval: true,
      })
      answers.push(kind)
    }
    const data = { messageId: 'm', content: `answers: ${answers.join(', ')}` }
    yield { draft: { type: 'assistant.message', data } }
  },
})

type Screen = {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** What the terminal was opened with. */
  readonly opened: readonly TerminalOptions[]
}

/** Types each answer when a question has been asked. */
async function atTerminal(
  argv: readonly string[],
  {
    fs = openMemory(),
    agent = asking(),
    types = [] as readonly string[],
    isPiped = false,
  }: {
    fs?: SessionFs
    agent?: Agent
    types?: readonly string[]
    /** What is printed goes into a pipe. */
    isPiped?: boolean
  } = {},
): Promise<Screen> {
  const [stdin, stdout, stderr] = [terminal(), terminal(), terminal()]
  const [shown, told] = [gather(stdout), gather(stderr)]
  if (isPiped) stdout.isTTY = false
  const opened: TerminalOptions[] = []
  const left = [...types]
  stderr.on('data', () => {
    // The line editor moves the cursor behind the question.
    if (!/[:\]] (.\[\d*[A-Z])*$/.test(told())) return
    const answer = left.shift()
    if (answer !== undefined) stdin.write(`${answer}\r`)
  })
  const host = {
    argv,
    env: { NO_COLOR: '1' },
    version: 'test',
    openTerminal: async (options: TerminalOptions) => void opened.push(options),
    stdin,
    stdout,
    stderr,
    findHome: () => ({ path: '/memory', source: 'default' }),
    findDirectory: () => process.cwd(),
    keepDiagnostics() {},
    unknownSettings: async () => [],
    openEngine: ({ policy }: { policy: PermissionPolicy }) => openEngine({ fs, agent, policy }),
  } as unknown as Host
  const code = await runCli(host)
  return { code, stdout: shown(), stderr: told(), opened }
}

const terminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 100 })

function gather(stream: PassThrough): () => string {
  let text = ''
  stream.on('data', (chunk) => (text += String(chunk)))
  return () => text
}

for (const [answer, decision] of [
  ['y', 'allow'],
  ['n', 'deny'],
  ['', 'deny'],
  ['a', 'allow-for-session'],
] as const) {
  test(`a person who answers "${answer}" decides: ${decision}`, async () => {
    const { code, stdout, stderr } = await atTerminal(['-p', 'go'], { types: [answer] })
    assert.deepEqual([code, stdout], [0, `answers: ${decision}\n`])
    assert.match(stderr, /\? run rm -rf \/tmp\/x\n/)
  })
}

test('what was allowed for the session is not asked again', async () => {
  const { stdout, stderr } = await atTerminal(['-p', 'go'], { agent: asking(2), types: ['a'] })
  assert.equal(stdout, 'answers: allow-for-session, allow\n')
  assert.equal(stderr.split('Allow it?').length, 2)
})

test('--allow-all asks nobody', async () => {
  const { stdout, stderr } = await atTerminal(['-p', 'go', '--allow-all'])
  assert.equal(stdout, 'answers: allow\n')
  assert.doesNotMatch(stderr, /Allow it/)
})

test('deleting asks first, and a no changes nothing', async () => {
  const fs = openMemory()
  await atTerminal(['-p', 'go', '-n', 'work', '--allow-all'], { fs })
  const no = await atTerminal(['sessions', 'delete', 'work'], { fs, types: ['no'] })
  assert.deepEqual([no.code, no.stdout], [130, ''])
  const yes = await atTerminal(['sessions', 'delete', 'work'], { fs, types: ['y'] })
  assert.equal(yes.code, 0)
  assert.match(yes.stdout, /^Moved 1 session to the trash/)
})

test('--resume without a value offers a choice', async () => {
  const fs = openMemory()
  await atTerminal(['-p', 'go', '-n', 'first', '--allow-all'], { fs })
  await atTerminal(['-p', 'go', '-n', 'second', '--allow-all'], { fs })
  const chosen = await atTerminal(['-p', 'on', '--allow-all', '--resume'], { fs, types: ['2'] })
  assert.equal(chosen.code, 0)
  const { stdout } = await atTerminal(['sessions', 'list', '--json'], { fs })
  const { sessions } = JSON.parse(stdout) as { sessions: { turns: number }[] }
  assert.deepEqual(
    sessions.map(({ turns }) => turns),
    [2, 1],
  )
})

test('on a terminal without a message the terminal is opened, with the session that was named', async () => {
  const fs = openMemory()
  await atTerminal(['-p', 'go', '-n', 'work', '--allow-all'], { fs })
  const starts: TerminalOptions['start'][] = []
  for (const argv of [
    [],
    ['-n', 'new'],
    ['--resume'],
    ['--resume', 'work'],
    ['--continue', '--plain'],
  ]) {
    const { code, opened } = await atTerminal(argv, { fs })
    assert.equal(code, 0)
    starts.push(...opened.map(({ start }) => start))
  }
  const id = starts[3]?.kind === 'open' ? starts[3].id : undefined
  assert.deepEqual(starts, [
    { kind: 'new' },
    { kind: 'new', name: 'new' },
    { kind: 'pick' },
    { kind: 'open', id, isNew: false },
    { kind: 'open', id, isNew: false },
  ])
})

test('a message alone is answered line by line, with --plain or --screen-reader too', async () => {
  for (const flag of ['--plain', '--screen-reader']) {
    const { code, stderr } = await atTerminal([flag, '-p', 'go', '--allow-all'])
    assert.deepEqual([code, stderr.includes(flag)], [0, false])
  }
})

test('a name that several sessions have opens the list with it', async () => {
  const fs = openMemory()
  for (const _ of [1, 2]) await atTerminal(['-p', 'go', '-n', 'work', '--allow-all'], { fs })
  const { code, opened } = await atTerminal(['--resume', 'work'], { fs })
  assert.equal(code, 0)
  assert.deepEqual(
    opened.map(({ start }) => start),
    [{ kind: 'pick', filter: 'work' }],
  )
  const unattended = await atTerminal(['--resume', 'work', '-p', 'on'], { fs })
  assert.equal(unattended.code, 3)
  assert.match(unattended.stderr, /2 sessions fit "work"/)
})

test('flags that do not go together are refused in words, and nothing is opened', async () => {
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['--resume', '--continue'], /--resume and --continue do not go together/],
    [['--name', 'x', '--resume', 'y'], /--name and --resume do not go together/],
    [['-n', 'x', '--continue'], /--name and --continue do not go together/],
    [['--connect', '--name', 'x'], /--connect and --name do not go together/],
    [['--connect', 'x', '--resume', 'y'], /--connect and --resume do not go together/],
    [['--cloud', '--connect'], /--cloud and --connect do not go together/],
    [['--cloud', '-p', 'hi'], /--cloud and --prompt do not go together/],
    [['--cloud', '-i', 'hi'], /--cloud and --interactive do not go together/],
    [['-p', 'hi', '-i', 'hi'], /--prompt and --interactive do not go together/],
    [['--session-idle-timeout', '5'], /--session-idle-timeout is for a server/],
    [['--stdio'], /--stdio is for a server/],
    [['--log-level', 'loud'], /--log-level wants one of off, none, error/],
    [['--stream', '-p', 'hi'], /--stream adds notices to --json/],
    [['--server', '-p', 'hi'], /clients send the messages/],
    [['--server', '--ui-server'], /two servers/],
    [['--acp', '--headless'], /two servers/],
    [['--ui-server', '--resume'], /opens sessions by their links/],
    [['--ui-server', '--session-idle-timeout', '5'], /belongs to --server/],
    [['--server', '--resume'], /--resume needs a session/],
    [['--server', '--resume', '--stdio'], /--resume needs a session/],
    [['--server', '--port', '70000'], /--port wants a whole number/],
    [['--server', '--stdio', '--port', '1'], /neither port nor host/],
    [['--server', '--frobnicate'], /has no option --frobnicate/],
    [['--server', 'sessions'], /--server stands before the command/],
  ]
  for (const [argv, message] of refused) {
    const { code, opened, stderr } = await atTerminal([...argv])
    assert.deepEqual([code, opened], [2, []], argv.join(' '))
    assert.match(stderr, message)
  }
})

test('a word that a group does not know is named, whatever options stand behind it', async () => {
  for (const argv of [
    ['sessions', 'export', 'work', '-o', 'file'],
    ['sessions', 'export', 'work'],
    ['chronicle', 'stanup', '--days', '3'],
  ]) {
    const { code, opened, stderr } = await atTerminal(argv)
    assert.deepEqual([code, opened], [2, []], argv.join(' '))
    assert.ok(stderr.includes(`Unknown command "${argv[0]} ${argv[1]}"`), stderr)
  }
})

test('what needs a Mission Control says that there is none', async () => {
  for (const argv of [
    ['--cloud'],
    ['--connect'],
    ['--connect', 'x'],
    ['--connect', 'x', '-p', 'y'],
  ]) {
    const { code, opened, stderr } = await atTerminal(argv)
    assert.deepEqual([code, opened], [3, []], argv.join(' '))
    assert.match(stderr, /No Mission Control is configured/)
  }
  const { code, stderr } = await atTerminal(['--acp', '--cloud'])
  assert.equal(code, 2)
  assert.match(stderr, /Its clients start sessions elsewhere/)
})

test('-i opens the terminal with a first message', async () => {
  const { opened } = await atTerminal(['-i', 'hello', '-n', 'work'])
  assert.deepEqual(
    opened.map(({ start, firstMessage }) => [start, firstMessage]),
    [[{ kind: 'new', name: 'work' }, 'hello']],
  )
})

test('a message or a name that looks like an option is none', async () => {
  const fs = openMemory()
  await atTerminal(['--name', '--headless', '-p', '--server', '--allow-all'], { fs })
  const { stdout } = await atTerminal(['sessions', 'list', '--json'], { fs })
  const { sessions } = JSON.parse(stdout) as { sessions: { name: string; summary: string }[] }
  assert.deepEqual(
    sessions.map(({ name, summary }) => [name, summary]),
    [['--headless', '--server']],
  )
})

test('a name that no session has is told before the terminal is opened', async () => {
  const { code, opened, stderr } = await atTerminal(['--resume', 'nothing'])
  assert.deepEqual([code, opened], [3, []])
  assert.match(stderr, /nothing/)
})

test('into a pipe, the newest sessions and five commands are shown', async () => {
  const fs = openMemory()
  await atTerminal(['-p', 'go', '-n', 'work', '--allow-all'], { fs })
  const { code, stdout } = await atTerminal([], { fs, isPiped: true })
  assert.equal(code, 0)
  assert.match(stdout, /^Reprise test · \/memory\n\nSessions of this directory\n.* work .*\n\n/)
  assert.equal(stdout.match(/^ {2}reprise /gm)?.length, 5)
})

test('an agent that fails is told of, and the exit code says so', async () => {
  const agent: Agent = {
    name: 'failing',
    // oxlint-disable-next-line require-yield
    async *run() {
      throw new Error('the model is gone')
    },
  }
  const { code, stdout, stderr } = await atTerminal(['-p', 'go'], { agent })
  assert.deepEqual([code, stdout], [8, ''])
  assert.match(stderr, /error the model is gone/)
})

test('what came before a broken connection is not printed beside the answer; why a tool failed is one line', async () => {
  const agent: Agent = {
    name: 'breaking',
    async *run({ turnId }) {
      const [messageId, deltaContent] = ['m1', 'Half an ans']
      yield { notice: { type: 'assistant.message_delta', data: { messageId, deltaContent } } }
      const reason = 'the connection broke'
      yield { notice: { type: 'assistant.turn_retry', data: { turnId, reason, attempt: 1 } } }
      const toolCallId = 'c'
      const start = { toolCallId, toolName: 'view', arguments: {}, turnId }
      yield { draft: { type: 'tool.execution_start', data: start } }
      const error = { message: 'Not right:\n✖ No path.\n  → at path', code: 'invalid_arguments' }
      const end = { toolCallId, success: false, error, turnId }
      yield { draft: { type: 'tool.execution_complete', data: end } }
      yield { draft: { type: 'assistant.message', data: { messageId: 'm2', content: 'Whole.' } } }
    },
  }
  const { stdout, stderr } = await atTerminal(['-p', 'go'], { agent })
  assert.equal(stdout, 'Whole.\n')
  assert.match(stderr, /the connection broke/)
  assert.match(stderr, /✗ Not right: ✖ No path\. → at path\n/)
})
