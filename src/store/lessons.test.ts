/** What is read out of prompts and calls: directives, corrections, troubles, commands that worked, proposals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { troubleOf, whatOf, type CallRow } from './call-outcome.ts'
import { directivesIn, isCorrection } from './directives.ts'
import { proposeEntries } from './propose-entries.ts'
import { workedInstead } from './fixed-commands.ts'

const ID = '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa'

const call = (command: string, over: Partial<CallRow> = {}): CallRow => ({
  sessionId: ID,
  turn: 0,
  tool: 'bash',
  args: JSON.stringify({ command }),
  output: 'ok',
  success: 1,
  ...over,
})
const failed = { output: 'boom\n<exited with exit code 1>' }

test('a correction is told from what only sounds like one', () => {
  const corrections = [
    'no, use pnpm',
    'Nope. Again.',
    'No that is the old file',
    "that's wrong",
    "Don't touch the tests",
    'you forgot the import',
    'It still fails',
    'why did you delete it',
    'stop',
    'undo this',
  ]
  const others = [
    'No tests yet, write some',
    'no problem, go on',
    'note the port',
    'now run it',
    'add a button',
    'That is great',
    'know your limits',
  ]
  assert.deepEqual(corrections.filter(isCorrection), corrections)
  assert.deepEqual(others.filter(isCorrection), [])
})

test('directives are whole sentences: standing ones always, orders where they correct', () => {
  const texts = (text: string) => directivesIn(text).map((found) => found.text)
  assert.deepEqual(texts('Fix it. Always run the linter first! use tabs'), [
    'Always run the linter first.',
  ])
  assert.deepEqual(texts('no, use pnpm instead of npm'), ['Use pnpm instead of npm.'])
  assert.deepEqual(texts('No, please do not edit dist. Thanks'), ['Do not edit dist.'])
  assert.deepEqual(texts('From now on, never push to main'), ['Never push to main.'])
  assert.deepEqual(texts('In this repo we deploy on Fridays'), [
    'In this repo we deploy on Fridays.',
  ])
  assert.deepEqual(texts('run npm test and use the cache'), [])
  assert.deepEqual(texts('Never? Always use this?'), [])
  assert.deepEqual(texts(`Always ${'x'.repeat(300)}`), [])
})

test('what went wrong with a call is read from its row, whichever agent made it', () => {
  const trouble = (over: Partial<CallRow>, command = 'npm test') => troubleOf(call(command, over))
  assert.equal(trouble({}), undefined)
  assert.equal(trouble({ success: null }), undefined)
  assert.deepEqual(trouble({ output: 'x\nError: y\nz\n<exited with exit code 2>' }), {
    kind: 'exit',
    reason: 'exit code 2: Error: y',
  })
  assert.equal(trouble(failed, 'FOO=1 grep x y'), undefined)
  assert.equal(trouble({ output: '<exited with exit code 0>' }), undefined)
  assert.deepEqual(
    trouble({ success: 0, output: 'This needs permission, and nobody could be asked for it.' }),
    { kind: 'denied', reason: 'This needs permission, and nobody could be asked for it.' },
  )
  assert.equal(trouble({ success: 0, output: 'EACCES: permission denied' })?.kind, 'failed')
  assert.equal(
    trouble({ success: 0, output: 'interrupted before a result was recorded' })?.kind,
    'interrupted',
  )
})

test('a call is named by its command or its file, also when its arguments were cut', () => {
  assert.equal(whatOf(call('npm\n  test')), 'npm test')
  assert.equal(whatOf({ tool: 'edit', args: '{"path":"a.ts"}' }), 'edit a.ts')
  assert.equal(whatOf({ tool: 'edit', args: '{"path":"a \\"b\\".ts","old":"xxx' }), 'edit a "b".ts')
  assert.equal(whatOf({ tool: 'think', args: '' }), 'think')
  assert.equal(whatOf({ tool: 'odd', args: '[1]' }), 'odd')
})

test('a command that works after another of its program failed is what was found out', () => {
  const calls = [
    call('npm test', failed),
    call('npm test -- x', failed),
    call('ls'),
    call('npm run unit'),
    call('npm run unit'),
    call('make', failed),
    call('make'),
    call('cat a', failed),
    call('cat b'),
    call('cargo build', failed),
    call('cargo check', { sessionId: 'other' }),
    call('cargo check', { turn: 5 }),
  ]
  assert.deepEqual(workedInstead(calls), [
    { sessionId: ID, turn: 0, failed: 'npm test -- x', times: 2, worked: 'npm run unit' },
  ])
})

test('a session proposes what was said, what was found out, what checks, and what was written down', () => {
  const rows = {
    id: ID,
    repository: 'octo/one',
    branch: 'main',
    prompts: [
      { turn: 0, text: "Add a test. Don't stop." },
      { turn: 1, text: 'no, use pnpm' },
    ],
    calls: [
      call('npm test', failed),
      call('npm run unit'),
      call('npm run unit'),
      call('npm run unit'),
      call('npm run lint'),
      call('npm run lint'),
    ],
    technicalDetails: '- models: offline\n The port is 8080. \n- bash failed: no such file',
  }
  assert.deepEqual(proposeEntries(rows), [
    {
      repository: 'octo/one',
      src: 'person',
      name: 'Use pnpm',
      description: 'From session 11111111, turn 2.',
      content: 'Use pnpm.',
    },
    {
      repository: 'octo/one',
      src: 'commands',
      name: 'npm run unit',
      description: 'From session 11111111, turn 1.',
      content: 'This works: npm run unit\nThis fails here: npm test',
    },
    {
      repository: 'octo/one',
      src: 'commands',
      name: 'npm run lint',
      description: 'Went well 2 times in session 11111111.',
      content: 'This works: npm run lint',
    },
    {
      repository: 'octo/one',
      branch: 'main',
      src: 'checkpoint',
      name: 'technical details of 11111111',
      description: 'From the newest checkpoint of session 11111111.',
      content: 'The port is 8080.',
    },
  ])
  assert.deepEqual(proposeEntries({ ...rows, repository: '' }), [])
})
