import assert from 'node:assert/strict'
import test from 'node:test'
import { diff } from './diff.ts'

test('a change is one hunk with three lines around it', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n'
  assert.equal(
    diff('x', before, before.replace('e\n', 'E\nE2\n')),
    '--- x\n+++ x\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h\n',
  )
})

test('a new file and an emptied one count from line zero', () => {
  assert.equal(diff('x', undefined, 'a\nb\n'), '--- /dev/null\n+++ x\n@@ -0,0 +1,2 @@\n+a\n+b\n')
  assert.equal(diff('x', 'a\n', ''), '--- x\n+++ x\n@@ -1,1 +0,0 @@\n-a\n')
})

test('repeated lines are not counted twice, and nothing changed is nothing', () => {
  assert.equal(diff('x', 'a\na\n', 'a\na\na\n'), '--- x\n+++ x\n@@ -1,2 +1,3 @@\n a\n a\n+a\n')
  assert.equal(diff('x', 'a\n', 'a\n'), '')
})

test('a newline that goes from the end is shown', () => {
  assert.equal(
    diff('x', 'a\n', 'a'),
    '--- x\n+++ x\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n',
  )
})

test('a change of any size has a bounded description', () => {
  assert.ok(diff('x', undefined, 'line\n'.repeat(500_000)).length < 70_000)
})
