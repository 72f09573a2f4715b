/** `reprise sql`, for people, for programs and with hostile content. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDisk } from '../../src/fs/disk.ts'
import { openDatabase } from '../../src/store/open-store.ts'
import { writeSessionSql } from '../../src/store/query/session-sql.ts'
import { makePlace, type Place } from './cli.ts'

const ID = '11111111-1111-4111-8111-111111111111'

async function withStore(place: Place): Promise<void> {
  mkdirSync(place.home, { recursive: true })
  const native = join(place.home, 'session-store.db')
  const file = { fs: openDisk(place.home), path: 'session-store.db', native }
  const db = await openDatabase(file)
  const insert = db.prepare('INSERT INTO sessions (id, repository, summary) VALUES (?, ?, ?)')
  insert.run(ID, 'octo/one', 'a \x1b[31m"red"\x1b[0m, \u202etext\nin two lines')
  db.close()
}

test('sql prints a table that a terminal can only show, and CSV and JSON that keep the bytes', async () => {
  using place = makePlace()
  await withStore(place)
  const query = 'SELECT repository, summary, 12 AS n, NULL AS e FROM sessions'
  const { code, stdout, stderr } = await place.run(['sql', query])
  assert.equal(code, 0)
  assert.deepEqual(stdout.split('\n'), [
    'repository  summary                            n  e',
    'octo/one    a "red", ⟨202e⟩text in two lines  12   ',
    '',
  ])
  assert.match(stderr, /^1 row, \d+ ms\n$/)
  assert.equal(
    (await place.run(['sql', '--csv', query])).stdout,
    'repository,summary,n,e\nocto/one,"a \x1b[31m""red""\x1b[0m, \u202etext\nin two lines",12,\n',
  )
  const { elapsedMs, ...result } = await place.json<{ elapsedMs: number }>(['sql', query])
  assert.deepEqual(
    [typeof elapsedMs, result],
    [
      'number',
      {
        columns: ['repository', 'summary', 'n', 'e'],
        rows: [['octo/one', 'a \x1b[31m"red"\x1b[0m, \u202etext\nin two lines', 12, null]],
        truncated: false,
        stale: false,
      },
    ],
  )
})

test('sql reads its query from stdin, cuts long results and says so', async () => {
  using place = makePlace()
  await withStore(place)
  const input =
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c;\n-- for ever\n'
  const { code, stdout, stderr } = await place.run(['sql', '--csv', '-'], { input })
  assert.deepEqual([code, stdout.split('\n').length], [0, 502])
  assert.equal(stderr, 'There are more than these 500 rows.\n')
  const values = await place.json<{ rows: unknown[] }>(['sql', "SELECT 9007199254740993, x'00ff'"])
  assert.deepEqual(values.rows, [['9007199254740993', { base64: 'AP8=' }]])
})

test('sql --schema prints the tables that can be asked', async () => {
  using place = makePlace()
  await withStore(place)
  const { stdout } = await place.run(['sql', '--schema'])
  assert.match(stdout, /CREATE TABLE turns \(\n {2}id INTEGER PRIMARY KEY/)
  const { tables } = await place.json<{ tables: { name: string }[] }>(['sql', '--schema'])
  const names = tables.map(({ name }) => name)
  assert.deepEqual(
    [
      names.includes('search_index'),
      names.includes('search_index_data'),
      names.includes('reprise_cursors'),
    ],
    [true, false, false],
  )
})

test('sql has an exit code and a reason for everything that it does not answer', async () => {
  using place = makePlace()
  await withStore(place)
  const reason = async (...args: string[]) => {
    const { code, stderr } = await place.run(['sql', '--json', ...args])
    const { error } = JSON.parse(stderr) as { error: { details: { reason?: string } } }
    return [code, error.details.reason]
  }
  assert.deepEqual(await reason('DELETE FROM turns'), [2, 'refused'])
  assert.deepEqual(await reason('SELECT * FROM nothing'), [2, 'syntax'])
  assert.deepEqual(await reason("SELECT printf('%300000d', 1)"), [2, 'too_large'])
  assert.deepEqual(await reason(), [2, undefined])
  assert.deepEqual(await reason('SELECT 1', '--csv'), [2, undefined])
})

test("sql --session reads a session's own database and leaves it as it is", async () => {
  using place = makePlace()
  const id = await place.session('hello')
  const none = await place.run(['sql', '--session', id, 'SELECT 1'])
  assert.deepEqual([none.code, /no database of its own/.test(none.stderr)], [3, true])
  const [fs, dir] = [openDisk(place.home), `session-state/${id}`]
  await writeSessionSql(fs, dir, { sql: "CREATE TABLE notes AS SELECT 'write' AS title" })
  const query = ['sql', '--session', '@latest', 'SELECT * FROM notes']
  assert.deepEqual((await place.json<{ rows: unknown }>(query)).rows, [['write']])
  assert.equal((await place.run(['sql', '--session', id, 'DROP TABLE notes'])).code, 2)
  const { tables } = await place.json<{ tables: readonly { readonly name: string }[] }>([
    'sql',
    '--session',
    id,
    '--schema',
  ])
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['todos', 'todo_deps', 'notes'],
  )
})
