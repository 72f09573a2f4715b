/**
 * One bad session folder, or one damaged part of a home, stops nothing for the others. Every kind is met by every command, as
 * a user who is not root: doors are closed to nobody else.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  BAD,
  GOOD,
  NEWEST,
  TEXT,
  homeKinds,
  partial,
  unreadable,
  unusable,
  type Kind,
} from './bad-homes.ts'
import type { Case, Outcome } from './run-in-homes.ts'

const commands = {
  list: ['sessions', 'list'],
  continue: ['--continue', '-p', 'hello'],
  new: ['-p', 'hello'],
  resume: ['--resume', BAD, '-p', 'hello'],
  home: ['home'],
  doctor: ['doctor'],
  repair: ['doctor', '--repair'],
  reindex: ['reindex', '--force'],
  forget: ['forget', TEXT, '--yes'],
  prune: ['sessions', 'prune', '--days', '0', '--yes'],
  trash: ['sessions', 'trash'],
  search: ['search', TEXT],
  delete: ['sessions', 'delete', GOOD, '--yes'],
  undo: ['sessions', 'undo', NEWEST],
  board: ['board', 'add', 'title', 'a note'],
} as const

type Name = keyof typeof commands
type Row = Outcome & { readonly home: string; readonly outside: string }

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const script = join(import.meta.dirname, 'run-in-homes.ts')
// In memory where that can be: nearly all that these commands wait for is the disk.
const shared = fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const base = fs.mkdtempSync(join(shared, 'reprise-bad-'))
fs.chmodSync(base, 0o755)
after(() => fs.rmSync(base, { recursive: true, force: true }))

const skip = whySkipped()
function whySkipped(): string | false {
  if (process.platform === 'win32') return 'links, pipes and modes of POSIX'
  if (!isRoot) return false
  try {
    execFileSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(script)})`], {
      uid: NOBODY,
      stdio: 'ignore',
    })
    return false
  } catch {
    return 'run by root, and the sources are closed to every other user'
  }
}

test(
  'a session that cannot be read is named with its reason, and every command goes on',
  { skip },
  async () => {
    for (const [kind, rows] of await outcomesOf(unreadable)) {
      assertOthersGoOn(kind, rows)
      for (const name of ['list', 'home'] as const) assertNamed(kind, rows[name])
      for (const name of ['doctor', 'repair', 'reindex', 'forget', 'prune', 'resume'] as const) {
        assert.equal(rows[name].code, 5, `${kind.name}, ${name}: ${rows[name].text}`)
        assertNamed(kind, rows[name])
      }
      assert.match(rows.doctor.text, /^3 sessions looked at, 1 to mend: 2{8}-/m, kind.name)
    }
  },
)

test(
  'a session whose own part cannot be used is listed, and named by what needs that part',
  { skip },
  async () => {
    for (const [kind, rows] of await outcomesOf(unusable)) {
      assertOthersGoOn(kind, rows)
      assert.match(rows.list.text, /22222222 {2}run echo/, kind.name)
      for (const name of ['doctor', 'repair', 'forget', 'resume'] as const) {
        assert.equal(rows[name].code, 5, `${kind.name}, ${name}: ${rows[name].text}`)
        assertNamed(kind, rows[name])
      }
    }
  },
)

test(
  'a part of a session that is not what it should be is a finding, and the session goes on',
  { skip },
  async () => {
    for (const [kind, rows] of await outcomesOf(partial)) {
      assertOthersGoOn(kind, rows)
      assert.match(rows.list.text, /22222222 {2}run echo/, kind.name)
      assert.equal(rows.doctor.code, 5, kind.name)
      assertNamed(kind, rows.doctor)
      assert.equal(rows.forget.code, 0, `${kind.name}: ${rows.forget.text}`)
    }
  },
)

test(
  'a damaged part of the home stops only what needs it, and doctor names it',
  { skip },
  async () => {
    for (const [kind, rows] of await outcomesOf(homeKinds)) {
      const codes = entries(rows).map(([name, { code }]) => [name, code])
      const expected = entries(rows).map(([name]) => [name, kind.codes[name] ?? 0])
      assert.deepEqual(codes, expected, `${kind.name}\n${texts(rows)}`)
      assert.match(rows.doctor.text, /^[✗·!] .*|^ {2}[✗·!] /m, kind.name)
      for (const row of Object.values(rows)) assertKept(kind, row)
    }
  },
)

const entries = <T>(record: Readonly<Record<Name, T>>) => Object.entries(record) as [Name, T][]

const texts = (rows: Readonly<Record<Name, Row>>): string =>
  entries(rows)
    .map(([name, { code, text }]) => `${name} ${code}: ${text.slice(0, 300)}`)
    .join('\n')

function assertNamed({ name }: Kind, { text }: Outcome): void {
  assert.match(text, /22222222-2222-4222-8222-222222222222/, `${name}: ${text}`)
  assert.match(text, /link|pipe|file|folder|denied/, `${name}: ${text}`)
}

const OTHERS = [
  'list',
  'continue',
  'new',
  'home',
  'trash',
  'search',
  'delete',
  'undo',
  'board',
] as const

function assertOthersGoOn(kind: Kind, rows: Readonly<Record<Name, Row>>): void {
  for (const name of OTHERS)
    assert.equal(rows[name].code, 0, `${kind.name}, ${name}: ${rows[name].text}`)
  for (const row of Object.values(rows)) {
    assert.doesNotMatch(row.text, /session store cannot be written|is not a function|undefined/)
    assertKept(kind, row)
  }
  assert.match(rows.list.text, /33333333[\s\S]*11111111/, kind.name)
  assert.match(rows.search.text, /11111111/, kind.name)
  assert.deepEqual(
    filesWith(TEXT, rows.forget.home, BAD),
    [],
    `${kind.name}: left of a forgotten text`,
  )
}

/** Nothing outside of the home is ever changed through it. */
function assertKept({ name }: Kind, { outside, text }: Row): void {
  const before = `${outside}.before`
  assert.deepEqual(contentsOf(outside), contentsOf(before), `${name}: ${text}`)
}

function contentsOf(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return `${path.slice(folder.length)} ${fs.readFileSync(path, 'hex')}`
    })
    .sort()
}

/** All files of a home that hold a text, but those of one session. */
function filesWith(text: string, home: string, but: string): readonly string[] {
  return fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes(but) && fs.readFileSync(path).includes(text))
}

const COPY = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const

let template: Promise<string> | undefined
let made = 0

async function outcomesOf<K extends Kind>(
  kinds: readonly K[],
): Promise<readonly (readonly [K, Readonly<Record<Name, Row>>])[]> {
  const project = join(base, 'project')
  const source = await (template ??= makeTemplate(project))
  const used = isRoot ? kinds : kinds.filter(({ isForeign }) => isForeign !== true)
  const cases: (Case & { readonly outside: string; readonly kind: Kind })[] = []
  for (const kind of used)
    for (const args of Object.values(commands)) {
      const dir = join(base, String(made++))
      const [home, outside] = [join(dir, 'home'), join(dir, 'outside')]
      fs.mkdirSync(outside, { recursive: true })
      fs.cpSync(source, home, COPY)
      kind.spoil({ home, outside })
      fs.cpSync(outside, `${outside}.before`, COPY)
      cases.push({ kind, home, outside, args, cwd: project })
    }
  if (isRoot) {
    execFileSync('chown', ['-Rh', String(NOBODY), base])
    const foreign = cases.filter(({ kind }) => kind.isForeign === true)
    for (const { home } of foreign)
      execFileSync('chown', ['-R', '0', join(home, 'session-state', BAD)])
  }
  const outcomes = await runAll(cases)
  const names = Object.keys(commands) as Name[]
  return used.map((kind, at) => {
    const rows = names.map((name, index) => {
      const place = at * names.length + index
      const { home = '', outside = '' } = cases[place] ?? {}
      return [name, { ...outcomes[place], home, outside }] as const
    })
    return [kind, Object.fromEntries(rows) as unknown as Record<Name, Row>] as const
  })
}

async function makeTemplate(cwd: string): Promise<string> {
  const home = join(base, 'home')
  fs.mkdirSync(cwd)
  if (isRoot) fs.chownSync(base, NOBODY, NOBODY)
  if (isRoot) fs.chownSync(cwd, NOBODY, NOBODY)
  const say = (id: string) => ['--resume', id, '--allow-all', '-p', `run echo ${TEXT}`]
  const lines = [say(GOOD), say(BAD), say(NEWEST), say(NEWEST), ['search', TEXT], commands.list]
  for (const { code, text } of await runAll(lines.map((args) => ({ home, args, cwd }))))
    assert.equal(code, 0, text)
  // What was listed is believed for some minutes: here every list looks.
  fs.rmSync(join(home, '.reprise/catalogue.json'))
  return home
}

/** In one process: what costs the most is to start it. It would hang in a pipe, and is then ended. */
function runAll(cases: readonly Case[]): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], {
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      env: {
        PATH: process.env.PATH,
        HOME: base,
        XDG_CACHE_HOME: join(base, 'cache'),
        REPRISE_AGENT: 'offline',
        NODE_NO_WARNINGS: '1',
      },
      timeout: 120_000,
    })
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.on('data', (chunk) => out.push(String(chunk)))
    child.stderr.on('data', (chunk) => err.push(String(chunk)))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const lines = out.join('').split('\n').filter(Boolean)
      if (lines.length === cases.length) resolve(lines.map((line) => JSON.parse(line) as Outcome))
      else {
        const { args, home } = cases[lines.length] ?? { args: [], home: '' }
        reject(new Error(`${code ?? signal} at ${args.join(' ')} in ${home}: ${err.join('')}`))
      }
    })
    child.stdin.end(JSON.stringify(cases))
  })
}
