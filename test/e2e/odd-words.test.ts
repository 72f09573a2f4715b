/**
 * Odd words behind every command: each is told in a sentence what is wrong. No fault of ours, no code of the system and
 * no text of a library is shown, and nothing reaches the agent. In one process, which starts none.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { table } from '../../src/commands/table.ts'
import { program } from '../../src/surfaces/cli/command-table.ts'
import { described } from '../../src/surfaces/cli/described.ts'
import { runCli } from '../../src/surfaces/cli/run.ts'
import { makeHost } from '../../src/wiring/cli-host.ts'

const LONG = 'x'.repeat(5000)

const LISTS: readonly (readonly string[])[] = [
  [],
  [LONG],
  ['@latest', 'folder'],
  ['/dev/null/x', '-1'],
  ['--', '-x\n\u001b[31m', '__proto__', '', 'd', 'e', 'f'],
]

const VALUES = ['', '/dev/null/x']

/** They run until they are stopped when nothing is wrong. */
const SERVERS = ['web', 'acp', 'worker', 'control serve']

/** Frames of a stack, codes of the system and of libraries, and what a careless template prints. */
const INSIDE =
  /\n\s+at \S+ \(|\bE(?:NOENT|ISDIR|NOTDIR|ACCES|PERM|NAMETOOLONG|LOOP|EXIST|INVAL|CONNREFUSED|NOTFOUND)\b|\b(?:ERR|SQLITE|Z)_[A-Z]|\b(?:Type|Syntax|Range|Reference|Zod)Error\b|\[object |\bundefined\b|\bNaN\b|Unexpected (?:token|end)/

const base = mkdtempSync(join(tmpdir(), 'reprise-odd-words-'))
const [home, project] = [join(base, 'home'), join(base, 'project')]
mkdirSync(join(project, 'folder'), { recursive: true })
writeFileSync(join(project, 'binary'), Buffer.from([0, 255, 1]))
const env = { HOME: base, REPRISE_HOME: home, REPRISE_AGENT: 'offline', NO_COLOR: '1' }
// Some parts look at the process itself.
Object.assign(process.env, env)
process.chdir(project)
after(() => rmSync(base, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  let said = ''
  for (const stream of [stdout, stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  stdin.end()
  const streams = { stdin, stdout, stderr } as unknown as Pick<
    NodeJS.Process,
    'stdin' | 'stdout' | 'stderr'
  >
  const code = await runCli(
    makeHost({ argv, env: { ...process.env }, version: 'test', ...streams }),
  )
  return { code, said }
}

/** What is wrong with what came of it. */
async function fault(...argv: readonly string[]): Promise<readonly string[]> {
  if (prompts().length < 2) await talk()
  const { code, said } = await run(...argv)
  const [inside] = INSIDE.exec(said.replaceAll(LONG, '…')) ?? []
  const isSilent = code !== 0 && said.trim() === ''
  return code === 1 || isSilent || (inside !== undefined && !argv.join(' ').includes(inside))
    ? [`${argv.join(' ').slice(0, 80)}: ${code} ${said.slice(0, 300)}`]
    : []
}

const OURS = ['run echo one > one.txt', 'run echo two > two.txt']

/** A session with two turns: the commands take turns back, delete it, and more. */
async function talk(): Promise<void> {
  await run('-p', OURS[0] ?? '', '--allow-all')
  await run('--continue', '-p', OURS[1] ?? '', '--allow-all')
}

/** What agents were sent, as all logs of the home say. */
function prompts(): readonly string[] {
  const folder = join(home, 'session-state')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths
    .filter((path) => path.endsWith('events.jsonl'))
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').split('\n'))
    .filter((line) => line.includes('"type":"user.message"'))
    .map((line) => (JSON.parse(line) as { data: { content: string } }).data.content)
}

test('odd words behind any command are answered in a sentence', async () => {
  await talk()
  const wrong: string[] = []
  for (const row of program.commands) {
    if (SERVERS.includes(row.name)) continue
    const words = row.name.split(' ')
    for (const list of LISTS) wrong.push(...(await fault(...words, ...list)))
    const { arguments: named = [], options = [] } = 'of' in row ? await described(row) : row
    const needs = named.flatMap(([name]) => (name.startsWith('<') ? ['@latest'] : []))
    for (const [flags] of options) {
      const [, flag] = /(--[\w-]+) [<[]/.exec(flags) ?? []
      if (flag === undefined) continue
      for (const value of VALUES) wrong.push(...(await fault(...words, ...needs, flag, value)))
    }
  }
  assert.deepEqual(wrong, [])
})

test('a server that cannot be started says what it wants', { timeout: 60_000 }, async () => {
  const asked: readonly (readonly [string, RegExp])[] = [
    [
      'web --tls-cert binary --tls-key binary',
      /no certificate with its key, in PEM. Nothing was started/,
    ],
    ['control serve --tls-cert folder --tls-key binary', /two files that can be read/],
    ['control serve --url nowhere', /--url wants https:.*, not "nowhere"/],
    ['control serve --data /dev/null/x', /cannot be made \(not a directory: .*Nothing was started/],
    ['control restore folder', /folder cannot be read .*Nothing was changed/],
  ]
  for (const [words, told] of asked) {
    const { code, said } = await run(...words.split(' '))
    assert.deepEqual([code, INSIDE.exec(said)?.[0]], [2, undefined], said)
    assert.match(said, told)
  }
})

test('odd words behind a slash never reach the agent', async () => {
  const wrong: string[] = []
  for (const { name } of table)
    for (const rest of ['', ' nosuch "', ' --nosuch'])
      wrong.push(...(await fault('--continue', '-p', `/${name}${rest}`)))
  assert.deepEqual(wrong, [])
  assert.deepEqual([...new Set(prompts())].toSorted(), OURS)
})
