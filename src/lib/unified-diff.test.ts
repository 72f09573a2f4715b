import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { unifiedDiff } from './unified-diff.ts'

test('changes stand in hunks, with what is around them', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n'
  assert.equal(unifiedDiff(before, before), '')
  assert.equal(
    unifiedDiff(before, before.replace('e\n', 'E\n')),
    '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h',
  )
  assert.equal(unifiedDiff('', 'one\n'), '@@ -0,0 +1,1 @@\n+one')
  assert.equal(unifiedDiff('one\n', ''), '@@ -1,1 +0,0 @@\n-one')
})

test('git applies what is written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-diff-'))
  const lines = fc.array(fc.constantFrom(...'abcdef'), { minLength: 1, maxLength: 30 })
  const textOf = (all: readonly string[]) => `${all.join('\n')}\n`
  try {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = unifiedDiff(textOf(before), textOf(after))
        fc.pre(diff !== '')
        writeFileSync(join(folder, 'a'), textOf(before))
        const input = `--- a/a\n+++ b/a\n${diff}\n`
        const { status, stderr } = spawnSync('git', ['apply', '-'], { cwd: folder, input })
        assert.equal(status, 0, String(stderr))
        assert.equal(readFileSync(join(folder, 'a'), 'utf8'), textOf(after))
      }),
      { numRuns: 25 },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
