/** Every command over recorded sessions, for people and for programs. */
import assert from 'node:assert/strict'
import { rmSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lines, makePlace } from './cli.ts'

type Listed = {
  sessions: { id: string; name: string; bucket: string; turns: number }[]
  total: number
}

test('sessions list groups by nearness, limits, and says how many are left out', async () => {
  using place = makePlace()
  const [first, second] = [await place.session('one'), await place.session('two')]
  const listed = await place.json<Listed>(['sessions', 'list'])
  assert.deepEqual(
    listed.sessions.map(({ id, bucket, turns, name }) => ({ id, bucket, turns, name })),
    [
      { id: second, bucket: 'This directory', turns: 1, name: 'two' },
      { id: first, bucket: 'This directory', turns: 1, name: 'one' },
    ],
  )
  const limited = await place.run(['sessions', 'list', '--limit', '1'])
  assert.match(limited.stdout, /^This directory\n {2}[0-9a-f]{8} {2}two .*just now\n… 1 more/)
  const elsewhere = await place.json<Listed>(['sessions', 'list', '--here', '--cwd', '/'])
  assert.deepEqual([elsewhere.sessions, elsewhere.total], [[], 0])
  assert.equal((await place.run(['sessions', 'list', '--all', '--limit', '1'])).code, 2)
})

test('sessions list mentions what it cannot list in one line', async () => {
  using place = makePlace()
  await place.session('one')
  const empty = crypto.randomUUID()
  mkdirSync(join(place.home, 'session-state', empty))
  writeFileSync(join(place.home, 'session-state', 'old.jsonl'), '{}\n')
  const listed = await place.json<Listed & { legacy: string[]; empty: string[] }>([
    'sessions',
    'list',
  ])
  assert.deepEqual([listed.total, listed.legacy, listed.empty], [1, ['old.jsonl'], [empty]])
  const { stdout } = await place.run(['sessions', 'list'])
  assert.match(stdout, /\nNot listed: 1 flat file of an older format, 1 folder without a log\.\n$/)
})

test('sessions show tells the facts, the transcript and the Markdown', async () => {
  using place = makePlace()
  const id = await place.session('run echo shown')
  const { session, numbers, ailments } = await place.json<{
    session: { id: string; path: string }
    numbers: { turns: number }
    ailments: unknown[]
  }>(['sessions', 'show', id])
  assert.deepEqual(
    [session.id, session.path, numbers.turns, ailments],
    [id, join(place.home, 'session-state', id), 1, []],
  )
  const latest = await place.run(['sessions', 'show', '@latest'])
  assert.match(latest.stdout, /answered by offline[^]*1 turn, \d+ events/)
  assert.match(
    (await place.run(['sessions', 'show', id, '--transcript'])).stdout,
    /❯ run echo shown/,
  )
  assert.match(
    (await place.run(['sessions', 'show', id, '--markdown'])).stdout,
    /^# run echo shown\n\n## User/,
  )
  const entries = await place.run(['sessions', 'show', id, '--transcript', '--json'])
  assert.equal(lines<{ kind: string }>(entries.stdout)[0]?.kind, 'user')
})

test('sessions rename changes the name that --resume takes', async () => {
  using place = makePlace()
  const id = await place.session('one')
  assert.deepEqual(await place.json(['sessions', 'rename', id.slice(0, 8), ' New name ']), {
    id,
    name: 'New name',
  })
  assert.equal((await place.run(['sessions', 'show', 'new name'])).code, 0)
  assert.equal((await place.run(['sessions', 'rename', id, ''])).code, 2)
})

test('sessions delete wants a yes, moves to the trash, and restore brings back', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const unsure = await place.run(['sessions', 'delete', id])
  assert.equal(unsure.code, 2)
  assert.match(unsure.stderr, /--yes/)
  const { sessions } = await place.json<{ sessions: { id: string; outcome: string }[] }>([
    'sessions',
    'delete',
    id,
    '--yes',
  ])
  assert.deepEqual(
    sessions.map(({ id, outcome }) => ({ id, outcome })),
    [{ id, outcome: 'trashed' }],
  )
  const gone = await place.run(['sessions', 'show', id])
  assert.equal(gone.code, 3)
  assert.match(gone.stderr, /trash/)
  const { deleted } = await place.json<{ deleted: { id: string }[] }>([
    'sessions',
    'list',
    '--trash',
  ])
  assert.deepEqual(
    deleted.map((one) => one.id),
    [id],
  )
  assert.deepEqual(await place.json(['sessions', 'restore', id.slice(0, 8)]), { id })
  assert.equal((await place.run(['sessions', 'delete', id, '--now', '--yes'])).code, 0)
  assert.equal((await place.run(['sessions', 'restore', id])).code, 3)
})

test('sessions prune shows what would go, keeps named ones, and goes when it is told to', async () => {
  using place = makePlace()
  const old = await place.session('one')
  await place.run(['-n', 'kept', '-p', 'hello'])
  const long = new Date('2020-01-01')
  const { sessions } = await place.json<Listed>(['sessions', 'list'])
  for (const { id } of sessions)
    utimesSync(join(place.home, 'session-state', id, 'events.jsonl'), long, long)
  // Nothing announces that a file was made older: what is derived from it goes too.
  rmSync(join(place.home, '.reprise/catalogue.json'), { force: true })
  assert.equal((await place.run(['sessions', 'prune'])).code, 2)
  const dry = await place.run(['sessions', 'prune', '--days', '30', '--dry-run'])
  assert.match(dry.stdout, /1 session to prune.*1 old one kept/)
  assert.equal((await place.run(['sessions', 'prune', '--days', '30'])).code, 2)
  const done = await place.json<{ dryRun: boolean; sessions: { id: string }[] }>([
    'sessions',
    'prune',
    '--days',
    '30',
    '--yes',
  ])
  assert.deepEqual([done.dryRun, done.sessions.map(({ id }) => id)], [false, [old]])
  assert.equal((await place.json<Listed>(['sessions', 'list'])).total, 1)
})

test('sessions rewind, undo and redo take turns away and bring them back', async () => {
  using place = makePlace()
  const id = await place.session('one', 'two', 'three')
  const prompts = async () =>
    lines<{ data: { content: string } }>(
      (await place.run(['sessions', 'events', id, '--json', '--types', 'user.message'])).stdout,
    ).map(({ data }) => data.content)
  const { points } = await place.json<{
    points: { turn: number; prompt: string; eventId: string }[]
  }>(['sessions', 'rewind', id, '--list'])
  assert.deepEqual(
    points.map(({ turn, prompt }) => [turn, prompt]),
    [
      [3, 'three'],
      [2, 'two'],
      [1, 'one'],
    ],
  )
  const preview = await place.run(['sessions', 'rewind', id, '--turn', '2', '--preview'])
  assert.match(preview.stdout, /^This would take back 2 turns\.\n$/)
  assert.equal((await place.run(['sessions', 'rewind', id, '--turn', '2'])).code, 2)
  assert.deepEqual(await prompts(), ['one', 'two', 'three'])
  const target = points[1]?.eventId ?? ''
  const rewound = await place.json<{ turnsRemoved: number }>([
    'sessions',
    'rewind',
    id,
    target.slice(0, 8),
    '--yes',
  ])
  assert.equal(rewound.turnsRemoved, 2)
  assert.deepEqual(await prompts(), ['one'])
  assert.equal((await place.run(['sessions', 'redo', id])).code, 0)
  assert.deepEqual(await prompts(), ['one', 'two', 'three'])
  assert.equal((await place.run(['sessions', 'undo', id])).code, 0)
  assert.deepEqual(await prompts(), ['one', 'two'])
  assert.equal((await place.run(['sessions', 'undo', id, '9'])).code, 2)
  assert.equal((await place.run(['sessions', 'rewind', id, '--turn', '9', '--yes'])).code, 3)
  assert.equal((await place.run(['sessions', 'rewind', id, crypto.randomUUID(), '--yes'])).code, 3)
})

test('sessions fork makes a session of its own, whole or up to a turn', async () => {
  using place = makePlace()
  const id = await place.session('one', 'two')
  const forked = await place.json<{ sessionId: string; name: string; source: string }>([
    'sessions',
    'fork',
    id,
    '--turn',
    '2',
    '--name',
    'other way',
  ])
  assert.deepEqual([forked.name, forked.source], ['other way', id])
  const { points } = await place.json<{ points: unknown[] }>([
    'sessions',
    'rewind',
    forked.sessionId,
  ])
  assert.equal(points.length, 1)
})

test('sessions fork takes a session up to a checkpoint, which is the last thing in it', async () => {
  using place = makePlace()
  const id = await place.session('one')
  await place.json(['sessions', 'compact', id])
  await place.run(['--resume', id, '-p', 'two'])
  const typesOf = async (session: string) =>
    lines<{ type: string }>(
      (await place.run(['sessions', 'events', session, '--json'])).stdout,
    ).map(({ type }) => type)
  const all = await typesOf(id)
  const end = all.indexOf('session.compaction_complete')
  assert.ok(all.length > end + 1)
  const { sessionId } = await place.json<{ sessionId: string }>([
    'sessions',
    'fork',
    id,
    '--checkpoint',
    '1',
  ])
  assert.deepEqual(await typesOf(sessionId), [...all.slice(0, end + 1), 'session.info'])
  assert.match((await place.run(['sessions', 'checkpoints', sessionId, '1'])).stdout, /overview/)
  const none = await place.run(['sessions', 'fork', id, '--checkpoint', '4'])
  assert.deepEqual([none.code, /the session has 1/.test(none.stderr)], [3, true])
  const both = await place.run(['sessions', 'fork', id, '--checkpoint', '1', '--turn', '1'])
  assert.equal(both.code, 2)
})

test('a deleted session is restored by its name, and two of one name are told apart by id', async () => {
  using place = makePlace()
  const [one, two] = [await place.session('one'), await place.session('two')]
  for (const id of [one, two]) await place.run(['sessions', 'rename', id, 'Plain Name'])
  await place.run(['sessions', 'delete', one, '--yes'])
  assert.deepEqual(await place.json(['sessions', 'restore', 'plain name']), { id: one })
  await place.run(['sessions', 'delete', one, two, '--yes'])
  const refused = await place.run(['sessions', 'restore', 'plain name'])
  assert.equal(refused.code, 3)
  assert.ok(refused.stderr.includes(one) && refused.stderr.includes(two))
  assert.deepEqual(await place.json(['sessions', 'restore', two.slice(0, 13)]), { id: two })
})

test('sessions compact makes a checkpoint that can be listed and read', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const { checkpointNumber } = await place.json<{ checkpointNumber: number }>([
    'sessions',
    'compact',
    id,
    'keep',
    'names',
  ])
  assert.equal(checkpointNumber, 1)
  const { checkpoints } = await place.json<{ checkpoints: { number: number }[] }>([
    'sessions',
    'checkpoints',
    id,
  ])
  assert.deepEqual(
    checkpoints.map(({ number }) => number),
    [1],
  )
  assert.match((await place.run(['sessions', 'checkpoints', id, '1'])).stdout, /overview/)
  assert.equal((await place.run(['sessions', 'checkpoints', id, '7'])).code, 3)
})

test('sessions files lists and prints the files of the session, and nothing outside', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const folder = join(place.home, 'session-state', id, 'files')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a.bin'), Buffer.from([0, 27, 255]))
  const { files } = await place.json<{ files: { path: string; size: number }[] }>([
    'sessions',
    'files',
    id,
  ])
  assert.deepEqual(
    files.map(({ path, size }) => ({ path, size })),
    [{ path: 'files/a.bin', size: 3 }],
  )
  const { base64 } = await place.json<{ base64: string }>(['sessions', 'files', id, 'files/a.bin'])
  assert.deepEqual([...Buffer.from(base64, 'base64')], [0, 27, 255])
  assert.equal((await place.run(['sessions', 'files', id, 'files/none'])).code, 3)
  assert.notEqual((await place.run(['sessions', 'files', id, '../../x'])).code, 0)
})

test('sessions plan sets, prints and deletes', async () => {
  using place = makePlace()
  const id = await place.session('one')
  await place.run(['sessions', 'plan', id, '--set', '-'], { input: '# Steps\n' })
  assert.equal((await place.run(['sessions', 'plan', id])).stdout, '# Steps\n')
  assert.deepEqual(await place.json(['sessions', 'plan', id, '--delete']), { id, plan: null })
})

test('sessions events prints all, the last, those after one, those of a type, and the bytes', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const log = readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
  const stored = lines<{ id: string; type: string }>(log)
  const events = async (...args: string[]) =>
    lines<{ id: string }>((await place.run(['sessions', 'events', id, '--json', ...args])).stdout)
  assert.deepEqual(await events(), stored)
  assert.deepEqual(await events('--last', '2'), stored.slice(-2))
  assert.deepEqual(await events('--after', stored[2]?.id ?? ''), stored.slice(3))
  assert.deepEqual(
    await events('--types', 'user.message', '--last', '1'),
    stored.filter(({ type }) => type === 'user.message'),
  )
  assert.equal((await place.run(['sessions', 'events', id, '--raw'])).stdout, log)
  assert.match((await place.run(['sessions', 'events', id])).stdout, /user\.message +one/)
  assert.equal(
    (await place.run(['sessions', 'events', id, '--after', crypto.randomUUID()])).code,
    7,
  )
})

test('sessions events --follow shows what another process writes, until it is interrupted', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const child = place.start([
    'sessions',
    'events',
    id,
    '--follow',
    '--json',
    '--types',
    'user.message',
  ])
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  let told = ''
  let isSent = false
  for await (const chunk of child.stdout ?? []) {
    told += String(chunk)
    if (!isSent) {
      isSent = true
      await place.run(['--resume', id, '-p', 'two'])
    }
    if (told.includes('"two"')) break
  }
  child.kill('SIGINT')
  assert.equal(await code, 130)
  assert.deepEqual(
    lines<{ data: { content: string } }>(told).map(({ data }) => data.content),
    ['one', 'two'],
  )
})

test('signs that cannot be seen are shown as marks, in lists, transcripts, exports and questions', async () => {
  using place = makePlace()
  const hidden = 'pay\u200bpal'
  const shown = 'pay\u27e8200b\u27e9pal'
  const id = await place.session(`run echo ${hidden}`)
  for (const args of [
    ['sessions', 'list'],
    ['sessions', 'show', id],
    ['sessions', 'show', id, '--transcript'],
    ['sessions', 'show', id, '--markdown'],
    ['export', id, '--markdown'],
    ['export', id, '--html'],
  ]) {
    const { stdout } = await place.run(args)
    assert.ok(stdout.includes(shown), args.join(' '))
    assert.equal(/\u200b/.test(stdout), false, args.join(' '))
  }
  const asked = await place.run(['--resume', id, '-p', `run touch ${hidden}`])
  assert.ok(asked.stderr.includes(shown), asked.stderr)
  assert.equal(/\u200b/.test(asked.stderr), false)
})
