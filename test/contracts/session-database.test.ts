/** A session's own database does the same on a disk and with a client that owns the files. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openClient } from '../../src/fs/client.ts'
import { openDisk } from '../../src/fs/disk.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { createPool } from '../../src/store/query/pool.ts'
import type { QueryError } from '../../src/store/query/query.ts'
import { readSessionSql, writeSessionSql } from '../../src/store/query/session-sql.ts'
import { sqliteProvider } from '../support/provider.ts'

const pool = createPool({ idle: 1 })
after(() => pool.end())

const DIR = 'session-state/one'
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: QueryError) => error.code,
  )

async function onDisk() {
  const home = mkdtempSync(join(tmpdir(), 'reprise-database-'))
  const fs = openDisk(home)
  await fs.mkdir(DIR)
  return { fs, dispose: () => rmSync(home, { recursive: true }) }
}

async function withClient() {
  const { calls, dispose } = sqliteProvider()
  const options = { conventions: 'posix', sessionStatePath: '/state' } as const
  return { fs: openClient(calls, { ...options, capabilities: { sqlite: true } }), dispose }
}

for (const [name, open] of Object.entries({ disk: onDisk, client: withClient })) {
  const behaves = (sentence: string, body: (fs: SessionFs) => Promise<void>) =>
    it(sentence, async () => {
      const { fs, dispose } = await open()
      try {
        await body(fs)
      } finally {
        dispose()
      }
    })
  const write = async (fs: SessionFs, sql: string, more = {}) => {
    const { elapsedMs: _, ...rest } = await writeSessionSql(fs, DIR, { sql, ...more }, pool)
    return rest
  }
  const read = async (fs: SessionFs, sql: string) =>
    (await readSessionSql(fs, DIR, { sql }, pool)).rows

  describe(`a session's own database (${name})`, () => {
    behaves('is made by the first statement, and is not there before', async (fs) => {
      assert.equal(await codeOf(read(fs, 'SELECT 1')), 'unavailable')
      await write(fs, 'CREATE TABLE steps (id INTEGER PRIMARY KEY, title TEXT)')
      assert.deepEqual(await read(fs, 'SELECT count(*) FROM steps'), [[0]])
    })

    behaves('takes changes and gives rows', async (fs) => {
      await write(fs, 'CREATE TABLE steps (id INTEGER PRIMARY KEY, title TEXT)')
      const insert = "INSERT INTO steps (title) VALUES ('a; b'), ('replace')"
      assert.deepEqual(await write(fs, insert), {
        columns: [],
        rows: [],
        truncated: false,
        changes: 2,
      })
      assert.deepEqual(await write(fs, "UPDATE steps SET title = 'c' WHERE id = 2 RETURNING *;"), {
        columns: ['id', 'title'],
        rows: [[2, 'c']],
        truncated: false,
      })
      await write(fs, 'ALTER TABLE steps ADD COLUMN done')
      await write(fs, 'CREATE INDEX by_title ON steps (title)')
      await write(
        fs,
        'WITH gone AS (SELECT 2 AS id) DELETE FROM steps WHERE id IN (SELECT id FROM gone)',
      )
      assert.deepEqual(await read(fs, "SELECT replace(title, 'a', 'x'), done FROM steps -- all"), [
        ['x; b', null],
      ])
      await write(fs, 'DROP TABLE steps')
    })

    behaves('gives no more than asked for, and says so', async (fs) => {
      const count =
        'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT x FROM n'
      const { rows, truncated } = await write(fs, count, { maxRows: 3 })
      assert.deepEqual([rows, truncated], [[[1], [2], [3]], true])
    })

    behaves('says what is wrong with a statement', async (fs) => {
      await assert.rejects(write(fs, 'SELECT * FROM nowhere'), /no such table: nowhere/)
      assert.equal(await codeOf(write(fs, 'SELECT * FROM nowhere')), 'syntax')
    })

    behaves('is read only for everybody else', async (fs) => {
      await write(fs, 'CREATE TABLE t (x)')
      for (const sql of [
        'INSERT INTO t VALUES (1)',
        'DROP TABLE t',
        'WITH a AS (SELECT 1) DELETE FROM t RETURNING x',
      ])
        assert.equal(await codeOf(read(fs, sql)), 'refused', sql)
    })

    behaves('is never left', async (fs) => {
      await write(fs, 'CREATE TABLE t (x)')
      for (const sql of [
        "ATTACH DATABASE '/tmp/x.db' AS x",
        "VACUUM INTO '/tmp/x.db'",
        'PRAGMA journal_mode = DELETE',
        "SELECT load_extension('x')",
        'CREATE VIRTUAL TABLE v USING dbstat',
        'CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END',
        "SELECT 1; ATTACH DATABASE '/tmp/x.db' AS x",
        "/* a */ ATTACH DATABASE '/tmp/x.db' AS x",
        'SELECT * FROM "dbstat"',
      ])
        assert.equal(await codeOf(write(fs, sql)), 'refused', sql)
    })
  })
}

describe('a client that answers for its database what cannot be', () => {
  for (const answer of [null, { rows: [] }, { columns: [1], rows: [] }, { columns: [], rows: 1 }])
    it(JSON.stringify(answer), async () => {
      const fs = openClient(() => Promise.resolve(answer), {
        conventions: 'posix',
        sessionStatePath: '/state',
        capabilities: { sqlite: true },
      })
      assert.equal(await codeOf(writeSessionSql(fs, DIR, { sql: 'SELECT 1' })), 'unavailable')
    })
})
