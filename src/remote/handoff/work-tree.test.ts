import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { WholeTask } from '../../format/task.ts'
import { git } from '../git/git.ts'
import { checkOut, fittingDiff, placeOf, refuseChanges } from './work-tree.ts'

/** On `main`, with a branch `other` at which the file is another one. */
async function withTree(
  use: (tree: {
    root: string
    run: (...args: readonly string[]) => Promise<string>
    diff: string
  }) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'reprise-tree-'))
  const run = (...args: readonly string[]) => git(args, { cwd: root })
  try {
    await run('init', '-q', '-b', 'main')
    writeFileSync(join(root, '.gitignore'), 'ignored\n')
    writeFileSync(join(root, 'a.txt'), 'one\n')
    await run('add', '-A')
    await run('commit', '-qm', 'one')
    writeFileSync(join(root, 'a.txt'), 'theirs\n')
    writeFileSync(join(root, 'new.txt'), 'new\n')
    await run('add', '-A')
    const diff = await run('diff', '--cached', '--binary', '--full-index')
    await run('reset', '-q', '--hard')
    await run('switch', '-qc', 'other')
    writeFileSync(join(root, 'a.txt'), 'mine\n')
    await run('commit', '-qam', 'two')
    await run('switch', '-q', 'main')
    await use({ root, run, diff })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const taskWith = (diff: string) =>
  ({ id: 'task-one', result: { diff, base: 'abc' } }) as unknown as WholeTask

test('changes that fit are put into the branch of the session', async () => {
  await withTree(async ({ root, run, diff }) => {
    await run('switch', '-q', 'other')
    const place = await placeOf(root, 'main')
    await checkOut(place, await fittingDiff(place, taskWith(diff)))
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'theirs\n')
    assert.equal((await run('branch', '--show-current')).trim(), 'main')
    await assert.rejects(refuseChanges(root), /not committed: a\.txt, new\.txt/)
  })
})

test('changes that do not fit are refused by name, and nothing is touched', async () => {
  await withTree(async ({ root, run, diff }) => {
    const place = await placeOf(root, 'other')
    await assert.rejects(fittingDiff(place, taskWith(diff)), /does not fit other: a\.txt\. Nothing/)
    await refuseChanges(root)
    assert.equal((await run('branch', '--show-current')).trim(), 'main')
  })
})

test('a file that git does not know of and that lies in the way leaves the branch as it was', async () => {
  await withTree(async ({ root, run, diff }) => {
    await run('switch', '-q', 'other')
    const place = await placeOf(root, 'main')
    writeFileSync(join(root, 'ignored'), 'kept\n')
    const inTheWay = diff.replaceAll('new.txt', 'ignored')
    const fitting = await fittingDiff(place, taskWith(inTheWay))
    await assert.rejects(checkOut(place, fitting), /cannot be put into this work tree/)
    assert.equal((await run('branch', '--show-current')).trim(), 'other')
    assert.equal(readFileSync(join(root, 'ignored'), 'utf8'), 'kept\n')
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'mine\n')
    assert.ok(!existsSync(join(root, 'new.txt')))
    await refuseChanges(root)
  })
})
