/** Reports, the board and the doctor of the store, through the real program with sessions of the offline agent. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlace, type Place } from './cli.ts'

const ID = '11111111-1111-4111-8111-111111111111'

function makeRepository({ project }: Place): void {
  mkdirSync(join(project, '.git'))
  writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(
    join(project, '.git/config'),
    '[remote "origin"]\n\turl = https://github.com/octo/one.git\n',
  )
}

async function say(place: Place, id: string, ...prompts: string[]): Promise<void> {
  for (const prompt of prompts) {
    const { code, stderr } = await place.run(['--resume', id, '--allow-all', '-p', prompt])
    assert.equal(code, 0, stderr)
  }
}

/** Without the times of the moment. */
const still = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')

test('standup tells what the sessions of the day came to, without any indexing by hand', async () => {
  using place = makePlace()
  makeRepository(place)
  const empty = await place.run(['chronicle', 'standup'])
  assert.equal(empty.code, 0)
  assert.match(empty.stdout, /The store knows 0 sessions\.\n\n- Look further back/)
  await say(place, ID, 'write notes.md: hello', 'run false')
  const other = '22222222-2222-4222-8222-222222222222'
  await say(place, other, 'run echo "[main 1a2b3c4] Done"')
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(place.home, `session-store.db${end}`), { force: true })
  const { stdout } = await place.run(['chronicle', 'standup'])
  assert.equal(
    still(stdout),
    `# Standup since TIME UTC

2 sessions with 3 turns.

## octo/one · main

### Done

- **run echo "\\[main 1a2b3c4\\] Done"** (\`22222222\`, 1 turn, TIME)
  - Refs: commit \`1a2b3c4\`, branch \`main\`

### Blocked

- **write notes.md: hello** (\`11111111\`, 2 turns, TIME): \`false\` ended with exit code 1
  - Files: \`notes.md\`
`,
  )
  const none = await place.json<{ groups: unknown[] }>(['chronicle', 'standup', '--repo', 'two'])
  assert.deepEqual(none.groups, [])
  const { kind, groups } = await place.json<{
    kind: string
    groups: { repository: string; done: { id: string }[]; blocked: { files: string[] }[] }[]
  }>(['chronicle', 'standup', '--since', '1h', '--repo', 'one'])
  assert.deepEqual(
    [kind, groups[0]?.repository, groups[0]?.done[0]?.id, groups[0]?.blocked[0]?.files],
    ['standup', 'octo/one', other, ['notes.md']],
  )
  const wrong = await place.run(['chronicle', 'standup', '--since', 'soon'])
  assert.deepEqual([wrong.code, /--since wants 24h/.test(wrong.stderr)], [2, true])
})

test('improve proposes what git can apply; rewinds are seen; the prompt quotes it all', async () => {
  using place = makePlace()
  makeRepository(place)
  writeFileSync(join(place.project, 'AGENTS.md'), '# Agents\n')
  await say(place, ID, 'run false', 'no, never use tabs here', 'run true')
  assert.equal((await place.run(['sessions', 'undo', ID])).code, 0)
  const { stdout: diff } = await place.run(['chronicle', 'improve', '--diff'])
  execFileSync('git', ['apply', '-'], { cwd: place.project, input: diff })
  assert.equal(
    readFileSync(join(place.project, 'AGENTS.md'), 'utf8'),
    '# Agents\n\n## Learned from sessions\n\n- Never use tabs here.\n',
  )
  const { stdout } = await place.run(['chronicle', 'improve'])
  assert.match(stdout, /## Taken back\n\n- Turns were taken back \(`11111111`\)\n/)
  assert.match(stdout, /`AGENTS\.md` says all of this already\./)
  const { prompt } = await place.json<{ prompt: string }>(['chronicle', 'improve', '--prompt'])
  assert.match(prompt, /<untrusted_history source="chronicle improve">/)
})

test('tips and cost say so when there is nothing, and search and reindex are the same as alone', async () => {
  using place = makePlace()
  await say(place, ID, 'run echo needle')
  const { stdout } = await place.run(['chronicle', 'reindex'])
  assert.match(stdout, /^\d sessions? indexed, \d unchanged\.\n$/)
  const tips = await place.json<{ tips: unknown[]; sessions: number }>(['chronicle', 'tips'])
  assert.deepEqual([tips.tips, tips.sessions], [[], 1])
  assert.match((await place.run(['chronicle', 'cost'])).stdout, /No model was used/)
  const found = await place.run(['chronicle', 'search', 'needle'])
  assert.deepEqual([found.code, found.stdout.includes(ID.slice(0, 8))], [0, true])
})

test('the board belongs to the repository; many processes may write it at once', async () => {
  using place = makePlace()
  makeRepository(place)
  const add = (name: string, ...more: string[]) => place.run(['board', 'add', name, 'x', ...more])
  const names = ['one', 'two', 'three', 'four']
  for (const { code, stderr } of await Promise.all(names.map((name) => add(name)))) {
    assert.equal(code, 0, stderr)
  }
  await add('elsewhere', '--repo', 'octo/two')
  const listed = async (...more: string[]) => {
    const { entries } = await place.json<{ entries: { name: string }[] }>([
      'board',
      'list',
      ...more,
    ])
    return entries.map(({ name }) => name).toSorted()
  }
  assert.deepEqual(await listed(), names.toSorted())
  assert.deepEqual((await listed('--all')).length, 5)
  const rows = await place.json<{ rows: unknown }>([
    'sql',
    "SELECT count(*) FROM dynamic_context_items WHERE repository = 'octo/one'",
  ])
  assert.deepEqual(rows.rows, [[4]])
  assert.equal((await place.run(['board', 'remove', 'o'])).code, 3)
  assert.equal((await place.run(['board', 'remove', 'fou'])).code, 0)
  assert.equal((await place.run(['board', 'remove', 'nothing'])).code, 3)
  assert.equal((await place.run(['board', 'prune'])).code, 2)
  const dry = await place.run(['board', 'prune', '--keep', '1', '--dry-run'])
  assert.match(dry.stdout, /2 entries would be removed\.\n$/)
  await place.run(['board', 'prune', '--keep', '1'])
  assert.equal((await listed()).length, 1)
  assert.equal((await place.run(['board', 'add', 'n', '-'], { input: 'from\nstdin' })).code, 0)
  const { stdout } = await place.run(['board', 'list'])
  assert.match(
    stdout,
    /^• n octo\/one · by person · added 1 time, read 0 times\n {2}from\n {2}stdin$/m,
  )
})

test('a session proposes what it learned, and puts it on the board when told to', async () => {
  using place = makePlace()
  await say(place, ID, 'run true', 'no, always use pnpm')
  const proposed = await place.run(['board', 'propose', ID])
  assert.match(proposed.stdout, /^• Always use pnpm by person · From session 11111111, turn 2\.$/m)
  const board = () => place.json<{ entries: { content: string }[] }>(['board', 'list'])
  assert.deepEqual((await board()).entries, [])
  await place.run(['board', 'propose', ID, '--add'])
  assert.deepEqual(
    (await board()).entries.map(({ content }) => content),
    ['Always use pnpm.'],
  )
})

test('doctor names a damaged store and board, and mends both', async () => {
  using place = makePlace()
  await say(place, ID, 'run true')
  await place.run(['board', 'add', 'kept', 'x'])
  writeFileSync(join(place.home, 'session-store.db'), 'nonsense '.repeat(50))
  const found = await place.run(['doctor'])
  assert.equal(found.code, 5)
  assert.match(
    found.stdout,
    /✗ store: The session store is damaged \(.*\n +reprise reindex mends it\./,
  )
  const mended = await place.run(['doctor', '--repair'])
  assert.equal(mended.code, 0, mended.stderr)
  assert.match(mended.stdout, /^session store and board mended$/m)
  const { store } = await place.json<{ store: { diagnosis: { ailments: unknown[] } } }>(['doctor'])
  assert.deepEqual(store.diagnosis.ailments, [])
  writeFileSync(join(place.home, '.reprise/board/board.json'), '{')
  assert.equal((await place.run(['doctor'])).code, 5)
  assert.equal((await place.run(['doctor', '--repair'])).code, 0)
  const { entries } = await place.json<{ entries: { name: string }[] }>(['board', 'list'])
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['kept'],
  )
})
