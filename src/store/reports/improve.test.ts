/** What to improve over fixed rows, and diffs that git takes. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { CallRow } from '../call-outcome.ts'
import { improve } from './improve.ts'
import { HEADING, diffFor } from './instruction-diff.ts'

const ID = '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const scope = { since: '2026-02-01T00:00:00.000Z', until: '2026-03-02T12:00:00.000Z' }

const call = (turn: number, command: string, output = '', success = 1): CallRow => ({
  sessionId: ID,
  turn,
  tool: 'bash',
  args: JSON.stringify({ command }),
  output,
  success,
})

const prompt = (turn: number, text: string) => ({
  sessionId: ID,
  turn,
  text,
  length: text.length,
  isAnswered: true,
})

const evidence = {
  sessions: [
    { id: ID, named: false, turns: 4, files: 1, checkpoints: 0, chars: 100, hasPlan: false },
  ],
  prompts: [
    prompt(0, 'No tests yet. Run the build. Always use pnpm.'),
    prompt(1, 'no, use pnpm instead of npm'),
    prompt(2, 'thanks'),
    prompt(3, "That's wrong: the port is 8080"),
  ],
  calls: [
    call(0, 'npm test', 'Error: no lockfile\n<exited with exit code 1>'),
    call(0, 'npm test', 'Error: no lockfile\n<exited with exit code 1>'),
    call(0, 'npm test', 'Error: no lockfile\n<exited with exit code 1>'),
    call(0, 'npm run test:unit', 'ok'),
    call(1, 'git push', 'A person denied this. Nothing was done.', 0),
  ],
  isCut: false,
}

test('struggles are told with their turns, and what would have helped as a diff', () => {
  const { markdown, json } = improve(evidence, scope, {
    file: { path: 'AGENTS.md', text: '# Agents\n\nBe kind.\n' },
    rewinds: [{ sessionId: ID, times: 2 }],
  })
  assert.equal(
    markdown,
    `# What to improve, from the sessions since 2026-02-01 00:00 UTC

Looked at 1 session with 4 turns.

## Corrected by you

- no, use pnpm instead of npm (\`11111111\` turn 2)
- That's wrong: the port is 8080 (\`11111111\` turn 4)

## Taken back

- Turns were taken back 2 times (\`11111111\`)

## What kept failing

- \`npm test\` failed 3 times: exit code 1: Error: no lockfile (\`11111111\` turn 1)

## Tried again and again

- \`bash\` was tried 3 times in one turn without success (\`11111111\` turn 1)

## Refused permissions

- \`git push\` was refused (\`11111111\` turn 2)

## Changes to AGENTS.md, to be read before it is applied

\`\`\`diff
--- a/AGENTS.md
+++ b/AGENTS.md
@@ -1,3 +1,9 @@
 # Agents
${' '}
 Be kind.
+
+## Learned from sessions
+
+- Always use pnpm.
+- Use pnpm instead of npm.
+- Run \`npm run test:unit\`, not \`npm test\`, which fails here.
\`\`\`

- Always use pnpm. (\`11111111\` turn 1)
- Use pnpm instead of npm. (\`11111111\` turn 2)
- Run npm run test:unit, not npm test, which fails here. (\`11111111\` turn 1)

Apply it with \`reprise chronicle improve --diff | git apply\`.
`,
  )
  assert.equal((json as { struggles: unknown[] }).struggles.length, 6)
})

test('what the file says already is not proposed again', () => {
  const lines = ['- Always use pnpm.', '- Use pnpm instead of npm.']
  assert.equal(diffFor({ path: 'A', text: `x\n${lines.join('\n')}\n` }, lines), undefined)
  assert.equal(diffFor({ path: 'A', text: 'x\n' }, []), undefined)
  const calm = improve({ ...evidence, prompts: [], calls: [] }, scope, {
    file: { path: 'AGENTS.md', text: undefined },
  })
  assert.match(calm.markdown, /\n\nThe agent was not corrected, and nothing failed twice\.\n$/)
})

/** The file after git applied the diff. */
function applied(text: string | undefined, diff: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-diff-'))
  try {
    if (text !== undefined) writeFileSync(join(folder, 'AGENTS.md'), text)
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: diff })
    return readFileSync(join(folder, 'AGENTS.md'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('git applies the diff: a new file, our section, the end of a file without a last newline', () => {
  const diff = (text: string | undefined) => diffFor({ path: 'AGENTS.md', text }, ['- new']) ?? ''
  const cases: [string | undefined, string][] = [
    [undefined, `${HEADING}\n\n- new\n`],
    ['', `${HEADING}\n\n- new\n`],
    ['one', `one\n\n${HEADING}\n\n- new\n`],
    ['one\r\ntwo\r\n', `one\r\ntwo\r\n\r\n${HEADING}\r\n\r\n- new\r\n`],
    [`a\n${HEADING}\n\n- old\n\n\n# B\nb\n`, `a\n${HEADING}\n\n- old\n- new\n\n\n# B\nb\n`],
    [`a\n${HEADING}\n- old\n# B\nb`, `a\n${HEADING}\n- old\n- new\n\n# B\nb`],
    [`a\n${HEADING}`, `a\n${HEADING}\n\n- new\n`],
    [`${HEADING}\n\n- old`, `${HEADING}\n\n- old\n- new\n`],
  ]
  for (const [text, wanted] of cases) assert.equal(applied(text, diff(text)), wanted)
})

test('of any file, git applies the diff, and nothing of it is lost', () => {
  const line = fc.constantFrom('', 'a', '# T', '## T', HEADING, '- x', '  ')
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (lines, end, isEnded) => {
        const text = lines.join(end) + (isEnded && lines.length > 0 ? end : '')
        const diff = diffFor({ path: 'AGENTS.md', text }, ['- new']) ?? ''
        const after = applied(text, diff).split(/\r?\n/)
        assert.ok(after.includes('- new'))
        const kept = [...after]
        for (const old of lines) kept.splice(kept.indexOf(old), kept.includes(old) ? 1 : 0)
        assert.ok(after.length - kept.length === lines.length)
      },
    ),
    { numRuns: 25 },
  )
})
