import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toldEdits } from './reported-edits.ts'

type End = Parameters<typeof toldEdits>[1]

const told = (
  toolName: string,
  args: unknown,
  { diff, ...end }: { diff?: string } & Pick<End, 'fileEdits'> = {},
) =>
  toldEdits(
    { toolName, arguments: args as Record<string, unknown> },
    {
      toolCallId: 'c',
      success: true,
      ...end,
      result: { content: 'ok', ...(diff !== undefined && { detailedContent: diff }) },
    },
  ).map(({ path, kind, diff: lines }) => [path, kind, lines])

test('the diff of a result goes before its arguments, under the name that the tool has', () => {
  const made = '\ndiff --git a/tmp/p/a.txt b/tmp/p/a.txt\ncreate file mode 100644\n'
  assert.deepEqual(
    told(
      'create',
      { path: '/tmp/p/a.txt', file_text: 'other' },
      {
        fileEdits: [{ path: '/tmp/p/a.txt', kind: 'create' }],
        diff: `${made}--- a/dev/null\n+++ b/tmp/p/a.txt\n@@ -1,0 +1,1 @@\n+made\n`,
      },
    ),
    [['/tmp/p/a.txt', 'create', '@@ -1,0 +1,1 @@\n+made']],
  )
  const indexed = 'Index: a.sql\n=====\n--- a.sql\tCurrent\n+++ a.sql\tProposed\n'
  assert.deepEqual(
    told(
      'replace',
      { file_path: '/p/a.sql' },
      { diff: `${indexed}@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n` },
    ),
    [['/p/a.sql', 'edit', '@@ -1,2 +1,2 @@\n--- old\n+++ new\n same']],
    'lines that look like the head of a file are lines',
  )
})

test('a diff of several files is taken apart', () => {
  const diff = `--- /dev/null
+++ /p/new.txt
@@ -0,0 +1,1 @@
+one
--- /p/old.txt
+++ /dev/null
@@ -1,1 +0,0 @@
-gone
--- /p/b.txt
+++ /p/b.txt
@@ -3 +3 @@
-x
+y`
  const fileEdits = ['/p/new.txt', '/p/old.txt', '/p/b.txt'].map((path) => ({ path, kind: 'edit' }))
  assert.deepEqual(told('apply_patch', {}, { diff, fileEdits }), [
    ['/p/new.txt', 'create', '@@ -0,0 +1,1 @@\n+one'],
    ['/p/old.txt', 'delete', '@@ -1,1 +0,0 @@\n-gone'],
    ['/p/b.txt', 'edit', '@@ -3 +3 @@\n-x\n+y'],
  ])
})

test('numbers on each line become hunks', () => {
  const diff = '  1 one\n- 2 two\n+ 2 TWO\n+ 3 and\n    ...\n  8 eight\n- 9 nine'
  assert.deepEqual(told('edit', { path: 'a' }, { diff }), [
    ['a', 'edit', '@@ -1 +1 @@\n one\n-two\n+TWO\n+and\n@@ -8 +9 @@\n eight\n-nine'],
  ])
})

test('without a diff the arguments tell: a text, words, several edits, a patch', () => {
  assert.deepEqual(told('write', { filePath: 'a', content: 'x\ny\n' }), [
    ['a', 'create', '@@ -0,0 +1,2 @@\n+x\n+y'],
  ])
  assert.deepEqual(told('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }), [
    ['a', 'edit', '@@\n-x\n+y'],
  ])
  const edits = [
    { oldText: 'x', newText: 'y' },
    { oldText: 'v', newText: 'w' },
  ]
  assert.deepEqual(told('edit', { path: 'a', edits }), [['a', 'edit', '@@\n-x\n+y\n@@\n-v\n+w']])
  const patch = `*** Begin Patch
*** Add File: new
+one
*** Delete File: old
*** Update File: b
@@
-x
+y
*** End Patch`
  const parts = [
    ['new', 'create', '@@ -0,0 +1,1 @@\n+one'],
    ['old', 'delete', ''],
    ['b', 'edit', '@@\n-x\n+y'],
  ]
  assert.deepEqual(told('exec_command', { cmd: `apply_patch '${patch}'` }), parts)
  assert.deepEqual(told('shell', { command: ['apply_patch', patch] }), parts)
})

test('what failed, and what a command printed, changed nothing', () => {
  assert.deepEqual(toldEdits({ toolName: 'edit' }, { toolCallId: 'c', success: false }), [])
  assert.deepEqual(told('bash', { command: 'git diff' }, { diff: '@@ -1 +1 @@\n-a\n+b' }), [])
  assert.deepEqual(told('view', { path: 'a' }), [])
})
