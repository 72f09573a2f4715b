/**
 * Help and program say the same: every option of every help text is started once, through the built program, and read in
 * each place where it may stand; what no help lists is refused. What is wrong with a line of words ends with code 2.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { program } from '../../src/surfaces/cli/command-table.ts'
import { helpFor } from '../../src/surfaces/cli/help.ts'
import { parse, subjectOf } from '../../src/surfaces/cli/parse.ts'
import { makeCertificate } from '../web/certificate.ts'
import { makePlace, type Place } from './cli.ts'

const { commands, groups } = program

type Listed = { readonly flag: string; readonly value: string; readonly heading: string }

/** The options of a help text, under the headings that it has. */
function optionsIn(help: string): Listed[] {
  let heading = ''
  return help.split('\n').flatMap((line): Listed[] => {
    heading = /^(\S.*):$/.exec(line)?.[1] ?? heading
    const [, names = '', value = ''] =
      /^ {2}(-[\w-]+(?:, -[\w-]+)*)(?: (<[^>]+>|\[[^\]]+\]))?(?:\.\.\.)?(?: {2,}|$)/.exec(line) ??
      []
    return names.split(', ').flatMap((flag) => (flag === '' ? [] : [{ flag, value, heading }]))
  })
}

/** Words that a command needs to get beyond them, where one that names nothing will not do. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'sessions rename': ['nosuch', 'new name'],
  'sessions tell': ['nosuch', 'hello'],
  'remote login': ['http://127.0.0.1:9'],
  'remote status': ['nosuch'],
  'remote on': ['nosuch'],
  'remote off': ['nosuch'],
  forget: ['no such words'],
  sql: ['SELECT 1'],
  search: ['word'],
  'chronicle search': ['word'],
  'board add': ['name', 'content'],
  'board accept': ['nosuch'],
  'board dismiss': ['nosuch'],
  'board propose': ['nosuch'],
  blame: ['a.ts:1'],
  completion: ['bash'],
}

/** What the usage of a command says that it wants: of a session that is not there, it ends at once. */
const wanted = new Map<string, readonly string[]>()

/** They go with no other option, or stand in the place of what their command needs. */
const ALONE: Readonly<Record<string, 'with what it needs' | 'instead of it'>> = {
  'sessions list --all': 'with what it needs',
  'sessions events --raw': 'with what it needs',
  'sessions events --last': 'with what it needs',
  'sessions plan --delete': 'with what it needs',
  'export --html': 'with what it needs',
  'export --markdown': 'with what it needs',
  'sql --csv': 'with what it needs',
  'import --watch': 'with what it needs',
  'sql --schema': 'instead of it',
  'board accept --all': 'instead of it',
  'board dismiss --all': 'instead of it',
}

/** What stands with an option because it has no meaning alone, or would not end by itself. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  'sessions prune': ['--days', '30', '--yes'],
  'sessions prune --days': ['--yes'],
  'sessions prune --dry-run': ['--days', '30'],
  'board prune': ['--days', '30'],
  'control people --rename': ['--name', 'x'],
  'control people --name': ['--rename', 'x'],
  'sql --session': [],
  'web --tls-cert': ['--tls-key', 'key.pem'],
  'web --tls-key': ['--tls-cert', 'cert.pem'],
  'web --guest': ['--port', '0'],
  '--stream': ['--json', '-p', 'x', '--continue'],
  '--resume': ['-p', 'x'],
  '-r': ['-p', 'x'],
  '--name': ['-p', 'x'],
  '-n': ['-p', 'x'],
  '--session-id': ['-p', 'x'],
  '--prompt': ['--continue'],
  '-p': ['--continue'],
  '--continue': ['-p', 'x'],
  '--allow-remote': ['--server', '--stdio'],
  '--connect': ['-p', 'x'],
  '--cloud': ['--plain'],
  '--plain': ['-i', 'status'],
  '--screen-reader': ['-i', 'status'],
  '--interactive': ['--plain'],
  '-i': ['--plain'],
  '--server': ['--port', '0'],
  '--headless': ['--port', '0'],
  '--ui-server': ['--port', '0', '--no-open'],
  '--acp': [],
  '--stdio': ['--headless'],
  '--port': ['--acp'],
  '--host': ['--server', '--port', '0'],
  '--no-open': ['--ui-server', '--port', '0'],
  '--session-idle-timeout': ['--server', '--port', '0'],
  '--auth-token-env': ['--server', '--port', '0'],
  '--no-auto-login': ['--server', '--port', '0'],
}

/** For `reprise` itself: there is no session to go on with, so it ends. */
const ROOT = ['-p', 'x', '--continue']

const VALUES: Readonly<Record<string, string>> = {
  '--port': '0',
  '--host': '127.0.0.1',
  '--home': 'another-home',
  '--cwd': '.',
  '-C': '.',
  '--from': 'claude',
  '--since': '7d',
  '--until': '1d',
  '--role': 'user',
  '--service': 'off',
  '--tls-cert': 'cert.pem',
  '--tls-key': 'key.pem',
  '--agent': 'offline',
  '--stream': 'on',
  '--bash-env': 'off',
  '--log-level': 'debug',
  '--reasoning-effort': 'low',
  '--mode': 'plan',
  '--sandbox': 'auto',
  '--output-format': 'json',
  '--additional-mcp-config': '{"mcpServers": {}}',
  '--output': 'out.file',
  '-o': 'out.file',
}

/** A number fits wherever a number or any word is wanted. */
const valueFor = ({ flag }: Listed) => VALUES[flag] ?? '1'

/** The line that is started, and whether it serves until it is stopped. */
type Line = { readonly words: readonly string[]; readonly serves: boolean }

const serves = (words: readonly string[]) =>
  words.includes('web') ||
  words.includes('--watch') ||
  ['--server', '--headless', '--ui-server', '--acp', 'acp'].some((word) => words.includes(word))

const line = (...words: readonly string[]): Line => ({ words, serves: serves(words) })

/** An option with what it needs, its value joined and apart, behind the words of its command and before them. */
function linesFor(name: string, listed: readonly Listed[], more: readonly string[] = []): Line[] {
  const words = name === '' ? [] : name.split(' ')
  const [{ flag } = { flag: '' }] = listed
  const key = [name, flag].join(' ').trim()
  const needs = ALONE[key] === 'instead of it' ? [] : (NEEDS[name] ?? wanted.get(name) ?? [])
  const base = WITH[key] ?? WITH[name] ?? (name === '' ? ROOT : [])
  const around = name === 'web' ? [...base, '--port', '0', '--no-open'] : base
  const apart = listed.flatMap((each) =>
    each.value === '' ? [each.flag] : [each.flag, valueFor(each)],
  )
  const joined = listed.flatMap((each) =>
    each.value === '' || !each.flag.startsWith('--')
      ? [each.flag, ...(each.value === '' ? [] : [valueFor(each)])]
      : [`${each.flag}=${valueFor(each)}`],
  )
  return [
    line(...words, ...around, ...needs, ...joined, ...more),
    line(...words, ...apart, ...around, ...needs, ...more),
  ]
}

const COMMON = ['--home', 'another-home', '--cwd', '.']

/** The first is started, all are read: what goes together in one line, the options of every command around its name. */
function linesOf(name: string, listed: readonly Listed[]): Line[][] {
  // Either may be given, and never both.
  const isOther = (flag: string) => flag === '--cloud' || flag === '--team'
  const isAlone = ({ flag }: Listed) =>
    `${name} ${flag}` in ALONE || isOther(flag) || /^(web|acp)$/.test(name)
  const together = listed.filter((each) => !isAlone(each))
  const [first = '', ...second] = name.split(' ')
  const [plain = line()] = linesFor(name, [])
  const rest = plain.words.slice(1 + second.length)
  return [
    [
      ...linesFor(name, together, [...COMMON, '--json']),
      line(...COMMON, '--json', first, ...second, ...rest),
      ...(second.length > 0 ? [line(first, ...COMMON, '--json', ...second, ...rest)] : []),
    ],
    ...listed.filter(isAlone).map((each) => linesFor(name, [each])),
  ]
}

/** On a machine that does much else at the same time. */
const LONG = { timeout: 600_000 }

const AT_ONCE = 4
const LONGEST_MS = 30_000

async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** What came of it. A server is stopped as soon as it has said where it is, and has no input. */
async function startedWith(place: Place, { words, serves: isServer }: Line) {
  const child: ChildProcess = place.start(words)
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  child.stdout?.once('data', () => isServer && child.kill('SIGTERM'))
  child.stdout?.resume()
  child.stdin?.on('error', () => {})
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  return { code, signal, stderr }
}

function makeOptionsPlace(): Place {
  const place = makePlace()
  const { cert, key } = makeCertificate('127.0.0.1')
  writeFileSync(join(place.project, 'cert.pem'), cert)
  writeFileSync(join(place.project, 'key.pem'), key)
  return place
}

async function helpOf(name: string): Promise<Listed[]> {
  const help = await helpFor(program, subjectOf(program, name.split(' ').filter(Boolean)), 100)
  const usage = /^Usage: reprise(.*)$/m.exec(help)?.[1] ?? ''
  wanted.set(name, usage.match(/(?<= )<(?!command)[^>]+>/g)?.map(() => 'nosuch') ?? [])
  return optionsIn(help)
}

const isCommon = ({ flag }: Listed) =>
  ['--json', '--home', '--cwd', '-C', '-h', '--help'].includes(flag)

test('every option of every help text works where help says that it may stand', LONG, async () => {
  using place = makeOptionsPlace()
  const names = commands.flatMap(({ name, hidden }) => (hidden === true ? [] : [name]))
  const lines: Line[][] = []
  for (const name of names) {
    const listed = await helpOf(name)
    assert.deepEqual(
      listed.filter(isCommon).map(({ flag }) => flag),
      ['--json', '--home', '-C', '--cwd', '-h', '--help'],
    )
    // They open databases, of which there is one at a time; test/control starts them.
    if (name.startsWith('control ')) continue
    lines.push(
      ...linesOf(
        name,
        listed.filter((each) => !isCommon(each)),
      ),
    )
  }
  for (const group of Object.keys(groups)) {
    const hasDefault = commands.some(({ name, isDefault }) => isDefault && name.startsWith(group))
    const own = (await helpOf(group)).filter((each) => !isCommon(each))
    assert.equal(own.length > 0, hasDefault, group)
    for (const each of own) await isRead(linesFor(group, [each]))
  }
  await startAll(place, lines)
})

test(
  "every option of the program's own help works, those of the Copilot CLI too",
  LONG,
  async () => {
    using place = makeOptionsPlace()
    const listed = (await helpOf('')).filter(({ flag }) => flag !== '-h' && flag !== '--help')
    const unused = listed.filter(({ heading }) => heading.includes('change nothing'))
    assert.ok(unused.length > 20)
    const refused = listed.filter(({ heading }) => heading.includes('are refused'))
    const used = listed.filter((each) => !unused.includes(each) && !refused.includes(each))
    // They mean something only with others, choose what is done, or have the value of another.
    const isAlone = ({ flag }: Listed) => flag in WITH || /^(-p|-V|-v|--version)$/.test(flag)
    await startAll(place, [
      linesFor('', unused),
      linesFor(
        '',
        used.filter((each) => !isAlone(each)),
      ),
      ...used.filter(isAlone).map((each) => linesFor('', [each])),
    ])
  },
)

async function startAll(place: Place, lines: readonly Line[][]): Promise<void> {
  const wrong: unknown[] = []
  await eachOf(lines, async (all) => {
    await isRead(all)
    const [first = line()] = all
    const { code, signal, stderr } = await startedWith(place, first)
    if (code === 2 || code === null || code === 1)
      wrong.push([first.words.join(' '), code, signal, stderr])
  })
  assert.deepEqual(wrong, [])
}

async function isRead(lines: readonly Line[]): Promise<void> {
  for (const { words } of lines)
    assert.match((await parse(program, words)).kind, /^(run|version)$/, words.join(' '))
}

test('an option that no help lists is refused, and a near one is named', async () => {
  using place = makePlace()
  const refused: readonly (readonly [string, RegExp])[] = [
    ['web --stdio', /"reprise web" has no option --stdio/],
    ['web --allow-all', /has no option --allow-all/],
    ['web --yolo', /has no option/],
    ['web --server', /has no option --server/],
    ['acp --host 127.0.0.1', /has no option --host/],
    ['acp --stdio', /has no option --stdio/],
    ['acp --no-open', /has no option/],
    ['export @latest --format md', /has no option --format/],
    ['export @latest --htm', /Did you mean --html\?/],
    ['sessions list --model x', /has no option --model/],
    ['sessions list --al', /Did you mean --all\?/],
    ['sessions redo @latest --files', /has no option --files/],
    ['sessions --transcript', /has no option --transcript/],
    ['--verbose', /has no option --verbose/],
    ['--modle x', /Did you mean --model\?/],
    ['--tls-cert x', /has no option --tls-cert/],
    ['--guest x', /has no option --guest/],
    ['--limit 3', /has no option --limit/],
    ['--server --tls-key x', /has no option --tls-key/],
    ['--headless --frobnicate', /has no option --frobnicate/],
    ['--model x web', /--model stands before the command "web"/],
    ['--yolo sessions list', /--yolo stands before the command "sessions"/],
    ['-prompt x', /has no option -prompt\. Did you mean --prompt\?/],
    ['-sx', /has no option -sx/],
    ['--json=yes', /--json takes no value/],
    ['--model', /A value is missing: --model <model>/],
    ['--mode fast', /--mode wants one of interactive, plan, autopilot, not "fast"/],
    ['web --port many', /--port wants a whole number from 0 to 65535, not "many"/],
    ['acp --port 70000', /--port wants a whole number/],
  ]
  await eachOf(refused, async ([words, told]) => {
    const { code, stdout, stderr } = await place.run(words.split(' '))
    assert.deepEqual([code, stdout], [2, ''], words)
    assert.match(stderr, told, words)
  })
})

async function readAs(words: readonly string[]) {
  const line = await parse(program, words)
  assert.ok(line.kind === 'run')
  return { command: line.command.name, given: line.given.all() }
}

test('short options are written together, and with their value', async () => {
  using place = makePlace()
  for (const [words, ...apart] of [
    ['-sp x', '-s', '-p', 'x'],
    ['-sra -px', '--silent', '--resume=a', '--prompt=x'],
    ['-C. sessions list', 'sessions', 'list', '--cwd', '.'],
    ['sessions -C. list', 'sessions', 'list', '--cwd', '.'],
  ] as const)
    assert.deepEqual(await readAs(words.split(' ')), await readAs(apart), words)
  const { code, stdout } = await place.run(['-sp', 'status'])
  assert.equal(code, 0)
  assert.match(stdout, /\S/)
})

/** As `copilot --help` of 1.0.102 lists them. */
const OF_COPILOT = `
  -v --version -i --interactive --fleet -p --prompt --trust-folder -s --silent --disable-client-telemetry
  --enable-memory --model --reasoning-effort --context --auto-tier --agent -r --resume --continue -n --name
  --session-id --connect --allow-all-tools --allow-all-paths --disallow-temp-dir --banner --screen-reader --plain-diff
  -C --log-dir --extension-sdk-path --log-level --stream --output-format --share --share-gist --add-dir --attachment
  --disable-mcp-server --disable-builtin-mcps --enable-all-github-mcp-tools --add-github-mcp-toolset
  --add-github-mcp-tool --plugin-dir --additional-mcp-config --mcp-github-auth --allow-all-mcp-server-instructions
  --allow-tool --deny-tool --available-tools --excluded-tools --secret-env-vars --allow-url --deny-url
  --allow-all-urls --allow-all --yolo --max-autopilot-continues --mode --autopilot --plan --experimental --bash-env
  --mouse --acp --remote --remote-export --environment-host --environment-compute-id --dynamic-retrieval
  --enable-mcp-server --max-ai-credits --assisted-approval --usage-output-file --no-custom-instructions
  --no-auto-update --no-ask-user --no-color --no-experimental --no-bash-env --no-mouse --no-remote --no-remote-export
  --no-eager-powershell-resolution -h --help`

test('every launch option of the Copilot CLI is in the help, and one without a use is named in a warning', async () => {
  using place = makePlace()
  const listed = new Set((await helpOf('')).map(({ flag }) => flag))
  const missing = OF_COPILOT.trim()
    .split(/\s+/)
    .filter((flag) => !listed.has(flag))
  assert.deepEqual(missing, [])
  const words = ['-p', 'status', '--fleet', '--log-dir', '/tmp', '--no-remote', '--banner']
  const { code, stderr } = await place.run(words)
  assert.equal(code, 0)
  assert.match(stderr, /^not used here: --fleet, --log-dir\n/)
})

test('an option that would protect and cannot is refused with the reason, and nothing is started', async () => {
  using place = makePlace()
  for (const flags of [
    ['--max-ai-credits', '5'],
    ['--max-ai-credits=30'],
    ['--assisted-approval'],
  ]) {
    const { code, stdout, stderr } = await place.run([...flags, '-p', 'status'])
    assert.deepEqual([code, stdout], [2, ''], flags.join(' '))
    assert.match(stderr, /(?:credits are not counted|No model judges).*Nothing was started/)
  }
  assert.equal(existsSync(place.home), false)
})
