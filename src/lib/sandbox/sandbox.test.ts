import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { placeFinder } from './find-places.ts'
import { refusalIn } from './refusal.ts'
import { seatbeltProfile } from './seatbelt.ts'
import { probe } from './system-sandbox.ts'
import { wallsOf, type Place } from './walls.ts'

const place = (path: string, access: Place['access'], more: Partial<Place> = {}): Place => ({
  path,
  access,
  isFolder: true,
  ...more,
})

test('outer places come before inner ones, and what changes nothing is left out', () => {
  const { places } = wallsOf(
    [
      place('/p/.git/hooks', 'read-only'),
      place('/p/src', 'writable'),
      place('/p/.git', 'writable', { isPinned: true }),
      place('/p', 'writable'),
      place('/etc', 'read-only'),
      place('/p', 'read-only'),
      place('/q', 'writable'),
      place('/q/secret', 'masked'),
      place('/q/secret/inner', 'writable'),
    ],
    { network: true },
  )
  assert.deepEqual(
    places.map(({ path, access }) => `${path} ${access}`),
    [
      '/q writable',
      '/q/secret masked',
      '/p/src writable',
      '/p/.git writable',
      '/p/.git/hooks read-only',
    ],
  )
})

test('what a rule denies to write is not given back further inside', () => {
  const { places } = wallsOf(
    [
      place('/', 'read-only', { isFinal: true }),
      place('/p', 'writable'),
      place('/p/.env', 'masked', { isFolder: false }),
    ],
    { network: true },
  )
  assert.deepEqual(
    places.map(({ path }) => path),
    ['/p/.env'],
  )
})

test('the profile for macOS allows, denies and masks in that order', () => {
  const walls = wallsOf(
    [
      place('/p', 'writable'),
      place('/p/.git', 'writable', { isPinned: true }),
      place('/p/.git/config', 'read-only', { isFolder: false }),
      place('/p/a "b"', 'masked'),
    ],
    { network: false },
  )
  assert.deepEqual(seatbeltProfile(walls).split('\n'), [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx")',
    '  (literal "/dev/dtracehelper") (subpath "/dev/fd") (regex #"^/dev/ttys[0-9]+$"))',
    '(allow file-write* (subpath "/p"))',
    '(deny file-read* file-write* (subpath "/p/a \\"b\\""))',
    '(allow file-write* (subpath "/p/.git"))',
    '(deny file-write* (literal "/p/.git/config"))',
    '(deny file-write-unlink (literal "/p/.git"))',
    '(deny file-write-unlink (literal "/p"))',
  ])
})

test('a system without a known sandbox, and one without its program, say what would help', async () => {
  const missing = async (platform: NodeJS.Platform) => {
    const found = await probe({ PATH: '.:bin' }, platform)
    return 'missing' in found ? found.missing : undefined
  }
  assert.match((await missing('win32')) ?? '', /no sandbox of this system.*container/)
  assert.match((await missing('darwin')) ?? '', /sandbox-exec is not installed/)
})

test('a refusal is told from a failure of the command itself', () => {
  const masked = [{ path: '/p/.env', why: 'a rule' }]
  const told = (output: string, exitCode = 1, more: object = {}) => {
    const known = { masked, network: true, isRoot: false, ...more }
    const refusal = refusalIn({ output, exitCode }, known)
    return refusal && [refusal.masked?.path ?? 'other', refusal.isMet]
  }
  assert.deepEqual(told("touch: cannot touch '/etc/x': Read-only file system"), ['other', false])
  assert.deepEqual(told("Error: EROFS: read-only file system, open '/x'"), ['other', false])
  assert.deepEqual(told("mv: cannot move '.git': Device or resource busy"), ['other', false])
  assert.deepEqual(told('sudo: The "no new privileges" flag is set'), ['other', false])
  assert.deepEqual(told('cat: .env: Permission denied'), ['/p/.env', false])
  assert.deepEqual(told('grep: ./.env: Permission denied\nsrc/a.ts: S\n'), ['/p/.env', true])
  assert.deepEqual(told("open '/p/.env': Permission denied", 0), undefined)
  assert.deepEqual(told('bash: ./build.sh: Permission denied'), undefined)
  assert.deepEqual(told('cat: .envrc: Permission denied'), undefined)
  assert.deepEqual(told('1 test failed'), undefined)
  assert.deepEqual(told('curl: (6) Could not resolve host: x'), undefined)
  assert.deepEqual(told('curl: (6) Could not resolve host: x', 6, { network: false }), [
    'other',
    false,
  ])
  assert.deepEqual(told('mount: Operation not permitted', 1, { isRoot: true }), ['other', false])
})

test('a search is repeated where folders changed, and finds what came and what went', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-finder-')))
  try {
    mkdirSync(join(root, 'a/b'), { recursive: true })
    mkdirSync(join(root, 'node_modules/x'), { recursive: true })
    for (const path of ['a/.env', 'a/b/.env', 'node_modules/x/.env'])
      writeFileSync(join(root, path), '')
    let looked = 0
    const finder = placeFinder(root, ({ name }) => {
      looked++
      return name === '.env'
    })
    const paths = async () =>
      (await finder.find()).found.map(({ path }) => path.slice(root.length + 1)).sort()
    // Old enough to be believed.
    const old = new Date(Date.now() - 10_000)
    for (const path of ['', 'a', 'a/b']) utimesSync(join(root, path), old, old)
    assert.deepEqual(await paths(), ['a/.env', 'a/b/.env'])
    const first = looked
    assert.deepEqual(await paths(), ['a/.env', 'a/b/.env'])
    assert.equal(looked, first)
    rmSync(join(root, 'a/.env'))
    writeFileSync(join(root, '.env'), '')
    assert.deepEqual(await paths(), ['.env', 'a/b/.env'])
  } finally {
    rmSync(root, { recursive: true })
  }
})
