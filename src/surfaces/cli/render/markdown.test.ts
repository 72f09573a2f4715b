/** Our reports on a terminal: styled a little, and no word of them lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownLines } from './markdown.ts'
import { bold, cyan, green, red } from './span.ts'

test('headings, lists, code and diffs are styled; what is escaped stands for itself', () => {
  const text = `# A \\*title\\*

Some \`code\` and **strong \\_words\\_** and \`\` a \`tick\` \`\`.
- item
  - **inner**: 1 \\< 2

\`\`\`diff
--- a/x
+++ b/x
@@ -1 +1 @@
-old **x**
+new
 same
\`\`\`
`
  assert.deepEqual(markdownLines(text), [
    [bold('A *title*')],
    [],
    ['Some ', cyan('code'), ' and ', bold('strong _words_'), ' and ', cyan('a `tick`'), '.'],
    ['• ', 'item'],
    ['  – ', bold('inner'), ': 1 < 2'],
    [],
    ['  ', bold('--- a/x')],
    ['  ', bold('+++ b/x')],
    ['  ', cyan('@@ -1 +1 @@')],
    ['  ', red('-old **x**')],
    ['  ', green('+new')],
    ['  ', ' same'],
  ])
})

test('a longer fence may hold a shorter one', () => {
  assert.deepEqual(markdownLines('````text\n```\n````\nafter'), [['  ', '```'], ['after']])
})
