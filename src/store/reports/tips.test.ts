/** Tips over fixed rows: each habit is found by what shows it, and by nothing less. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallRow } from '../call-outcome.ts'
import { habitsOf } from './habits.ts'
import type { HabitsEvidence, Prompt, SessionHabits } from './habits-evidence.ts'
import { tips } from './tips.ts'

const id = (n: number): string => `${String(n).repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`
const scope = { since: '2026-02-01T00:00:00.000Z', until: '2026-03-02T12:00:00.000Z' }

const session = (n: number, over: Partial<SessionHabits> = {}): SessionHabits => ({
  id: id(n),
  named: true,
  turns: 3,
  files: 0,
  checkpoints: 0,
  chars: 1000,
  hasPlan: false,
  ...over,
})

const prompt = (n: number, turn: number, text: string, isAnswered = true): Prompt => ({
  sessionId: id(n),
  turn,
  text,
  length: text.length,
  isAnswered,
})

const call = (n: number, command: string, output: string, success: number | null = 1): CallRow => ({
  sessionId: id(n),
  turn: 0,
  tool: 'bash',
  args: JSON.stringify({ command }),
  output,
  success,
})

const evidence = (over: Partial<HabitsEvidence>): HabitsEvidence => ({
  sessions: [],
  prompts: [],
  calls: [],
  isCut: false,
  ...over,
})

const found = (over: Partial<HabitsEvidence>) =>
  habitsOf(evidence(over)).map(({ habit, count, sessions }) => [habit, count, sessions])

test('a report of tips names the habit, what to do instead, and where it was seen', () => {
  const exit = 'sh: jest: not found\n<exited with exit code 127>'
  const { markdown } = tips(
    evidence({
      sessions: [session(1), session(2)],
      prompts: [prompt(1, 0, 'go')],
      calls: [call(1, 'npm test', exit), call(1, 'npm test', exit), call(2, 'npm  test', exit)],
    }),
    scope,
  )
  assert.equal(
    markdown,
    `# Tips from the sessions since 2026-02-01 00:00 UTC

Looked at 2 sessions with 1 turn.

## 1. One command keeps failing

\`npm test\` failed 3 times, the last time with: exit code 127: sh: jest: not found

- Instead: Say in AGENTS.md how it is run here, or mend what it needs, so that no session finds it out again. \`reprise chronicle improve\` proposes the lines.
- Seen in: \`11111111\`, \`22222222\`
`,
  )
})

test('without sessions it says where to look; without habits it says so', () => {
  const [none, calm] = [
    tips(evidence({}), scope),
    tips(evidence({ sessions: [session(1)] }), scope),
  ]
  assert.match(none.markdown, /Look further back with `--since 90d`/)
  assert.match(calm.markdown, /\n\nNo habit stands out\.\n$/)
})

test('prompts that come again are told apart: across sessions, and twice in a row', () => {
  const text = 'Please follow the style guide of this project.'
  const across = [1, 2, 3].map((n) => prompt(n, 0, n === 2 ? ` ${text.toUpperCase()}\n` : text))
  assert.deepEqual(found({ prompts: across }), [['pasted-prompt', 3, [id(1), id(2), id(3)]]])
  assert.deepEqual(found({ prompts: across.slice(0, 2) }), [])
  assert.deepEqual(found({ prompts: [1, 2, 3].map((n) => prompt(n, 0, 'go on')) }), [])
  const again = ['a', 'a', 'b', 'b', 'a', 'a', 'a'].map((word, turn) => prompt(1, turn, word))
  assert.deepEqual(found({ prompts: again }), [['repeated-prompt', 4, [id(1)]]])
})

test('turns that end early count by turn, and the one that may still run does not', () => {
  const prompts = [0, 1, 2, 3].map((turn) => prompt(1, turn, `p${turn}`, false))
  assert.deepEqual(found({ prompts }), [['cancelled-turns', 3, [id(1)]]])
  assert.deepEqual(found({ prompts: prompts.slice(1) }), [])
  const interrupted = call(1, 'sleep 9', 'interrupted before a result was recorded', 0)
  assert.deepEqual(found({ prompts: prompts.slice(1), calls: [interrupted] }), [
    ['cancelled-turns', 3, [id(1)]],
  ])
})

test('refused permissions, long sessions, large work without a plan and missing names are found', () => {
  const refused = call(1, 'rm -r x', 'A person denied this. Nothing was done.', 0)
  assert.deepEqual(found({ calls: [refused, refused, refused] }), [
    ['refused-permissions', 3, [id(1)]],
  ])
  assert.deepEqual(found({ calls: [refused, refused] }), [])
  const long = { turns: 30 }
  const planned = { hasPlan: true, checkpoints: 1, files: 9 }
  assert.deepEqual(found({ sessions: [session(1, { ...long, ...planned })] }), [])
  assert.deepEqual(found({ sessions: [session(1, long), session(2, { chars: 200_000 })] }), [
    ['no-compaction', 2, [id(1), id(2)]],
  ])
  assert.deepEqual(found({ sessions: [session(1, { turns: 15, files: 5 })] }), [
    ['no-plan', 1, [id(1)]],
  ])
  const five = [1, 2, 3, 4, 5].map((n) => session(n, { named: n === 5 }))
  assert.deepEqual(found({ sessions: five }), [['no-names', 4, [1, 2, 3, 4].map(id)]])
  assert.deepEqual(found({ sessions: five.slice(1) }), [])
})

test('commands that answer with their exit code have not failed', () => {
  const grep = call(1, 'grep -r x src', '<exited with exit code 1>')
  assert.deepEqual(found({ calls: [grep, grep, grep] }), [])
})
