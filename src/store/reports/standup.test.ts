/** The standup over fixed rows: the whole text, and the rules that decide how far a session is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standup } from './standup.ts'
import type { WorkedSession } from './standup-evidence.ts'
import { standingOf } from './standup-status.ts'

const NOW = new Date('2026-03-02T12:00:00.000Z')
const scope = { since: '2026-03-01T12:00:00.000Z', until: NOW.toISOString() }

const session = (over: Partial<WorkedSession> = {}): WorkedSession => ({
  id: '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  title: 'Fix the parser',
  repository: 'octo/one',
  branch: 'main',
  cwd: '/work/one',
  updatedAt: '2026-03-02T09:30:00.000Z',
  turns: 3,
  lastAnswer: 'All tests pass now.',
  lastCall: { what: 'npm test', isOpen: false, trouble: undefined },
  files: [],
  refs: [],
  checkpoint: undefined,
  turnsSinceCheckpoint: 0,
  ...over,
})

test('sessions are told by repository and branch, as done, in progress and blocked', () => {
  const { markdown, json, kind } = standup(
    {
      known: 9,
      isCut: false,
      sessions: [
        session({
          files: ['src/a.ts', 'src/b.ts', 'c', 'd', 'e', 'f', 'g'],
          refs: [
            { type: 'pr', value: '12' },
            { type: 'issue', value: 'octo/two#3' },
            { type: 'commit', value: '1a2b3c4d5e6f7a8b' },
            { type: 'branch', value: 'fix/parser' },
          ],
        }),
        session({
          id: '22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
          title: 'Lease *tests*',
          turns: 1,
          lastAnswer: 'There are two ways.\nShall I take the first?',
          checkpoint: {
            number: 2,
            nextSteps: '## Left\n1. [ ] Write the test\n- Run it\n* Ship\n- Rest',
          },
        }),
        session({
          id: '33333333-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
          repository: null,
          branch: null,
          title: '',
          lastCall: {
            what: 'make\u001b[31m all',
            isOpen: false,
            trouble: { kind: 'exit', reason: 'exit code 2: no rule <all>' },
          },
        }),
      ],
    },
    scope,
  )
  assert.equal(
    markdown,
    `# Standup since 2026-03-01 12:00 UTC

3 sessions with 7 turns.

## octo/one · main

### Done

- **Fix the parser** (\`11111111\`, 3 turns, 2026-03-02 09:30)
  - Refs: PR #12, issue octo/two#3, commit \`1a2b3c4d5e\`, branch \`fix/parser\`
  - To ask how it stands: \`gh pr view 12 --repo octo/one --json state,mergedAt,reviewDecision\`
  - Files: \`src/a.ts\`, \`src/b.ts\`, \`c\`, \`d\`, \`e\` and 2 more

### In progress

- **Lease \\*tests\\*** (\`22222222\`, 1 turn, 2026-03-02 09:30): asks: Shall I take the first?
  - Next: Write the test
  - Next: Run it
  - Next: Ship

## /work/one

### Blocked

- **(no name)** (\`33333333\`, 3 turns, 2026-03-02 09:30): \`make all\` ended with exit code 2: no rule \\<all\\>
`,
  )
  assert.equal(kind, 'standup')
  const { groups } = json as { groups: { repository: string; branch: string; done: unknown[] }[] }
  assert.deepEqual(
    groups.map(({ repository, branch, done }) => [repository, branch, done.length]),
    [
      ['octo/one', 'main', 1],
      ['/work/one', null, 0],
    ],
  )
})

test('when nothing is found it says what to do', () => {
  const { markdown } = standup(
    { known: 4, isCut: false, sessions: [] },
    { ...scope, repository: 'octo/one' },
  )
  assert.equal(
    markdown,
    `# Standup since 2026-03-01 12:00 UTC

No session was worked on in octo/one in this time. The store knows 4 sessions.

- Look further back: \`reprise chronicle standup --since 7d\`
- Look at all repositories: leave \`--repo\` out
- Index sessions that the store does not know yet: \`reprise chronicle reindex\`
`,
  )
})

test('how far a session is follows from how its last turn ended', () => {
  const open = { what: 'npm test', isOpen: true, trouble: undefined }
  const failing = (kind: 'denied' | 'interrupted' | 'failed') => ({
    what: 'edit a.ts',
    isOpen: false,
    trouble: { kind, reason: 'no such text' },
  })
  const checkpoint = { number: 1, nextSteps: '- more' }
  const cases: [Partial<WorkedSession>, string, string][] = [
    [{}, 'done', ''],
    [{ checkpoint }, 'inProgress', 'checkpoint 1 says what is left'],
    [{ checkpoint, turnsSinceCheckpoint: 1 }, 'done', ''],
    [{ checkpoint: { number: 1, nextSteps: ' ' } }, 'done', ''],
    [{ lastAnswer: 'Which one?' }, 'inProgress', 'asks: Which one?'],
    [{ lastAnswer: 'Why? Because.' }, 'done', ''],
    [
      { lastAnswer: "I'm blocked by the missing key. Sorry." },
      'blocked',
      "said: I'm blocked by the missing key.",
    ],
    [{ lastAnswer: '' }, 'blocked', 'the last turn ended without an answer'],
    [
      { lastAnswer: '', failure: 'no key', updatedAt: NOW.toISOString() },
      'blocked',
      'failed: no key',
    ],
    [
      { lastAnswer: '', updatedAt: '2026-03-02T11:55:00.000Z' },
      'inProgress',
      'the last turn is not over',
    ],
    [
      { lastAnswer: 'Half a', isStopped: true, updatedAt: NOW.toISOString() },
      'inProgress',
      'stopped',
    ],
    [
      { lastAnswer: '', isStopped: true, lastCall: failing('interrupted') },
      'inProgress',
      'stopped in the middle of `edit a.ts`',
    ],
    [
      { lastCall: open },
      'blocked',
      'the last turn ended without an answer in the middle of `npm test`',
    ],
    [{ lastCall: failing('denied') }, 'blocked', 'permission was refused for `edit a.ts`'],
    [{ lastCall: failing('interrupted') }, 'blocked', '`edit a.ts` was interrupted'],
    [{ lastCall: failing('failed') }, 'blocked', '`edit a.ts` failed: no such text'],
  ]
  for (const [over, status, because] of cases) {
    assert.deepEqual(standingOf(session(over), NOW), { status, because })
  }
})
