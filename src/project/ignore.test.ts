import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isIgnored, readRules } from './ignore.ts'

const rules = [
  '# comment',
  '\\#literal',
  '*.log',
  '!important.log',
  '/top',
  'folder/',
  'a/b',
  '**/anywhere/x',
  'every/**',
  'from/**/to',
  'q?estion',
  '[a-c]set',
  '[!a-c]not',
  'trailing   ',
  'kept\\ ',
  'star*end',
  'esc\\*ape',
  '',
  '/',
  'win.txt\r',
]

const paths = [
  '#literal',
  '# comment',
  'x.log',
  'sub/x.log',
  'important.log',
  'sub/important.log',
  'top',
  'sub/top',
  'folder',
  'a/b',
  'sub/a/b',
  'anywhere/x',
  'deep/er/anywhere/x',
  'every',
  'every/thing',
  'every/thing/deep',
  'from/to',
  'from/one/two/to',
  'question',
  'qestion',
  'aset',
  'dset',
  'anot',
  'dnot',
  'trailing',
  'kept ',
  'kept',
  'starend',
  'star-and-end',
  'star/end',
  'esc*ape',
  'escXape',
  'win.txt',
]

test('rules mean what git says that they mean', () => {
  const repository = mkdtempSync(join(tmpdir(), 'reprise-ignore-'))
  try {
    execFileSync('git', ['init', '-q'], { cwd: repository })
    writeFileSync(join(repository, '.gitignore'), `${rules.join('\n')}\n`)
    const answer = execFileSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], {
      cwd: repository,
      input: `${paths.join('\0')}\0`,
    })
    assert.deepEqual(paths.filter(ignored), answer.toString().split('\0').slice(0, -1))
  } finally {
    rmSync(repository, { recursive: true })
  }
})

const compiled = readRules(`${rules.join('\n')}\n`, '', undefined)

/** Whether the path or a folder around it is ignored, as a scan that does not enter ignored folders sees it. */
const ignored = (path: string): boolean =>
  path.split('/').some((name, index, names) => {
    const isLast = index === names.length - 1
    return isIgnored(compiled, names.slice(0, index + 1).join('/'), name, !isLast)
  })

test('a folder is ignored by a rule for folders, a file of that name is not', () => {
  assert.equal(isIgnored(compiled, 'folder', 'folder', true), true)
  assert.equal(isIgnored(compiled, 'folder', 'folder', false), false)
})

test('a pattern made to be slow is not', () => {
  const slow = readRules(`${'*a'.repeat(100)}b\n`, '', undefined)
  assert.equal(isIgnored(slow, 'a'.repeat(2000), 'a'.repeat(2000), false), false)
})
