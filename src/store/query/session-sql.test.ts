import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDisk } from '../../fs/disk.ts'
import { openMemory } from '../../fs/memory.ts'
import { createPool } from './pool.ts'
import type { QueryError } from './query.ts'
import { readSessionSql, writeSessionSql, type SessionQuery } from './session-sql.ts'

const pool = createPool({ idle: 1 })
after(() => pool.end())

const home = mkdtempSync(join(tmpdir(), 'reprise-session-sql-'))
after(() => rmSync(home, { recursive: true }))

const fs = openDisk(home)
let made = 0

/** A session folder of its own for each test. */
function makeSession() {
  const dir = `session-state/s${++made}`
  mkdirSync(join(home, dir), { recursive: true })
  const write = async (sql: string, rest: Omit<SessionQuery, 'sql'> = {}) => {
    const { elapsedMs: _, ...result } = await writeSessionSql(fs, dir, { sql, ...rest }, pool)
    return result
  }
  const read = async (sql: string) => (await readSessionSql(fs, dir, { sql }, pool)).rows
  return { folder: join(home, dir), dir, write, read }
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: QueryError) => error.code,
  )

test('a session makes tables, fills them and reads them, one statement at a time', async () => {
  const { write, folder } = makeSession()
  const none = { columns: [], rows: [], truncated: false }
  assert.deepEqual(await write('CREATE TABLE steps (id INTEGER PRIMARY KEY, title TEXT)'), {
    ...none,
    changes: 0,
  })
  const inserted = await write('INSERT INTO steps (title) VALUES (?), (?)', { params: ['a', 'b'] })
  assert.deepEqual(inserted, { ...none, changes: 2 })
  assert.deepEqual(await write("UPDATE steps SET title = 'c' WHERE id = 2 RETURNING *"), {
    columns: ['id', 'title'],
    rows: [[2, 'c']],
    truncated: false,
  })
  await write('ALTER TABLE steps ADD COLUMN done')
  await write('ALTER TABLE steps RENAME COLUMN title TO text')
  await write('CREATE INDEX by_text ON steps (text)')
  await write('CREATE VIEW titles AS SELECT text FROM steps')
  await write('CREATE VIRTUAL TABLE notes USING fts5(body)')
  await write("INSERT INTO notes VALUES ('a lease')")
  assert.deepEqual((await write("SELECT * FROM notes WHERE notes MATCH 'lease'")).rows, [
    ['a lease'],
  ])
  assert.deepEqual((await write('SELECT * FROM titles ORDER BY 1')).rows, [['a'], ['c']])
  assert.deepEqual((await write('PRAGMA table_info(titles)')).rows, [
    [0, 'text', 'TEXT', 0, null, 0],
  ])
  await write('ALTER TABLE steps DROP COLUMN done')
  await write('DELETE FROM steps')
  await write('DROP VIEW titles')
  await write('DROP TABLE steps')
  await write('DROP TABLE notes')
  const left = await write("SELECT name FROM sqlite_master WHERE type = 'table'")
  assert.deepEqual(left.rows, [['todos'], ['todo_deps']])
  assert.equal(statSync(join(folder, 'session.db')).mode & 0o777, 0o600)
})

test('a cut answer of a change keeps the whole change', async () => {
  const { write } = makeSession()
  await write('CREATE TABLE t (x)')
  const { rows, truncated } = await write('INSERT INTO t VALUES (1), (2), (3) RETURNING x', {
    maxRows: 1,
  })
  assert.deepEqual([rows, truncated], [[[1]], true])
  assert.deepEqual((await write('SELECT count(*) FROM t')).rows, [[3]])
})

test('a session stays in its own file', async () => {
  const { write, folder } = makeSession()
  await write('CREATE TABLE t (x)')
  const before = readdirSync(folder).toSorted()
  const outside = join(folder, 'out.db')
  const tried = [
    `ATTACH '${outside}' AS o`,
    `VACUUM INTO '${outside}'`,
    'VACUUM',
    'PRAGMA journal_mode = DELETE',
    'PRAGMA writable_schema = 1',
    'PRAGMA max_page_count = 1000000',
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
    'CREATE TEMP TABLE x (y)',
    'CREATE TABLE temp.x (y)',
    'CREATE TEMP VIEW x AS SELECT 1',
    'CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END',
    'CREATE VIRTUAL TABLE v USING rtree(a, b, c)',
    'CREATE VIRTUAL TABLE v USING dbstat(main)',
    'SELECT * FROM dbstat',
    'BEGIN',
    'SAVEPOINT s',
    'INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)',
    "SELECT sqlite_rename_test('main', '', 0, 0, 0, 0)",
  ]
  const answered: string[] = []
  for (const sql of tried) if ((await codeOf(write(sql))) === 'answered') answered.push(sql)
  assert.deepEqual(answered, [])
  assert.equal(await codeOf(write('UPDATE sqlite_master SET sql = NULL')), 'syntax')
  assert.deepEqual(readdirSync(folder).toSorted(), before)
  assert.deepEqual((await write('SELECT * FROM t')).rows, [])
})

test('its size, its time and what it gives back are bounded', async () => {
  const { write } = makeSession()
  await write('CREATE TABLE t (x)')
  const fill =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 2000) INSERT INTO t SELECT printf('%1000d', n) FROM c"
  assert.equal(await codeOf(write(fill, { maxFileBytes: 256 * 1024 })), 'too_large')
  const forever =
    'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n FROM c WHERE n < 0'
  assert.equal(await codeOf(write(forever, { deadlineMs: 100 })), 'deadline')
  assert.deepEqual((await write('SELECT count(*) FROM t')).rows, [[0]])
})

test('others read it and change nothing', async () => {
  const { write, read, folder } = makeSession()
  assert.equal(await codeOf(read('SELECT 1')), 'unavailable')
  assert.deepEqual(readdirSync(folder), [])
  await write('CREATE TABLE t (x)')
  await write("INSERT INTO t VALUES ('kept')")
  assert.deepEqual(await read('SELECT * FROM t'), [['kept']])
  for (const sql of [
    'DELETE FROM t',
    'CREATE TABLE u (x)',
    'DROP TABLE t',
    'PRAGMA user_version = 1',
  ]) {
    assert.equal(await codeOf(read(sql)), 'refused')
  }
  assert.deepEqual(await read('SELECT * FROM t'), [['kept']])
})

test('a link in the place of the database is not followed, and a session without a disk has none', async () => {
  const other = makeSession()
  await other.write('CREATE TABLE t (x)')
  const { write, read, folder } = makeSession()
  symlinkSync(join(other.folder, 'session.db'), join(folder, 'session.db'))
  assert.deepEqual(
    [await codeOf(write('SELECT * FROM t')), await codeOf(read('SELECT * FROM t'))],
    ['unavailable', 'unavailable'],
  )
  const asked = writeSessionSql(openMemory(), 's', { sql: 'SELECT 1' }, pool)
  assert.equal(await codeOf(asked), 'unavailable')
})
