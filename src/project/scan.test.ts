import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleProject } from '../../test/support/sample-project.ts'
import { stampOf } from './beneath-root.ts'
import type { Stamp } from './file-state.ts'
import { scanTree, type ScanOptions } from './scan.ts'

async function scanned(root: string, options?: ScanOptions) {
  const { entries, notCovered, isComplete } = await scanTree(root, options)
  return {
    paths: [...entries.keys()].sort(),
    notCovered: Object.fromEntries(notCovered),
    isComplete,
  }
}

test('files, links and folders are listed with their stamps, and no link is entered', async () => {
  using project = sampleProject({ 'd/a': '12345', b: '' })
  symlinkSync('..', join(project.root, 'd/up'))
  const { entries, isComplete } = await scanTree(project.root)
  assert.deepEqual([...entries].map(([path, { type, size }]) => [path, type, size]).sort(), [
    ['b', 'file', 0],
    ['d', 'folder', 0],
    ['d/a', 'file', 5],
    ['d/up', 'link', 2],
  ])
  assert.equal(isComplete, true)
})

test('what is not covered is named: version control, dependencies, ignored, large, special', async () => {
  using project = sampleProject({
    '.git/HEAD': '',
    'node_modules/x/index.js': '',
    'sub/node_modules': 'a plain file',
    '.gitignore': '*.log\n/out/\n',
    'a.log': '',
    'out/x': '',
    'sub/out/x': '',
    big: '1'.repeat(21),
    small: '1',
  })
  execFileSync('mkfifo', [join(project.root, 'pipe')])
  assert.deepEqual(await scanned(project.root, { maxFileBytes: 20, skip: new Set(['small']) }), {
    paths: ['.gitignore', 'sub', 'sub/node_modules', 'sub/out', 'sub/out/x'],
    notCovered: {
      '.git': 'derived',
      node_modules: 'derived',
      'a.log': 'ignored',
      out: 'ignored',
      big: 'large',
      pipe: 'special',
    },
    isComplete: true,
  })
})

test('the rules of nested files go before those of outer ones', async () => {
  using project = sampleProject({
    '.gitignore': '*.tmp\n!keep.tmp\n',
    'x.tmp': '',
    'keep.tmp': '',
    'sub/.gitignore': '!*.tmp\n/only\n',
    'sub/x.tmp': '',
    'sub/only': '',
    'sub/deep/only': '',
  })
  const { paths } = await scanned(project.root)
  assert.deepEqual(paths, [
    '.gitignore',
    'keep.tmp',
    'sub',
    'sub/.gitignore',
    'sub/deep',
    'sub/deep/only',
    'sub/x.tmp',
  ])
})

test('a budget that ends is told, and what was not reached is named', async () => {
  using project = sampleProject({ a: '', b: '', 'd/c': '' })
  const { paths, notCovered, isComplete } = await scanned(project.root, { maxFiles: 1 })
  assert.equal(isComplete, false)
  assert.equal(paths.filter((path) => path !== 'd').length, 1)
  assert.deepEqual(new Set(Object.values(notCovered)), new Set(['budget']))
  assert.equal((await scanned(project.root, { maxFiles: 3 })).isComplete, true)
  assert.deepEqual(await scanned(project.root, { maxMs: 0 }), {
    paths: [],
    notCovered: { '': 'budget' },
    isComplete: false,
  })
})

test('a name that is not Unicode is named', async () => {
  using project = sampleProject({ a: '' })
  mkdirSync(Buffer.concat([Buffer.from(`${project.root}/`), Buffer.from([0x66, 0xff])]))
  const { paths, notCovered } = await scanned(project.root)
  assert.deepEqual(paths, ['a'])
  assert.deepEqual(notCovered, { 'f\uFFFD': 'name' })
})

test('a folder that is as it was and whose names are not known is listed and known with them', async () => {
  using project = sampleProject({ 'd/a': '' })
  const { root } = project
  const stamp = (path: string) => stampOf(lstatSync(join(root, path))) as Stamp
  const { visited } = await scanTree(root, {
    reference: {
      folder: (path) =>
        path === '' ? { path, names: ['d'], skipped: [], isListed: true } : undefined,
      rootSeen: stamp(''),
      sameIn: () => () => true,
      seenOf: (path) => stamp(path),
      isFresh: () => true,
    },
  })
  const listing = visited.get('d')
  assert.deepEqual(listing !== 'same' && [listing?.names, listing?.seen], [['a'], stamp('d')])
})
