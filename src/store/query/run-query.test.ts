import assert from 'node:assert/strict'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as nextLook } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { FIRST, sampleStore, SECOND } from '../../../test/sql/sample-store.ts'
import { createPool } from './pool.ts'
import type { Query, QueryError, QueryResult } from './query.ts'
import { runQuery } from './run-query.ts'

const pool = createPool({ idle: 1 })
after(() => pool.end())

const store = await sampleStore()
after(() => store[Symbol.dispose]())

const ask = (sql: string, rest: Omit<Query, 'sql'> = {}) =>
  runQuery(store.path, { sql, ...rest }, pool)

const rowsOf = async (sql: string, rest: Omit<Query, 'sql'> = {}) => (await ask(sql, rest)).rows

const failure = (sql: string, rest: Omit<Query, 'sql'> = {}) =>
  ask(sql, rest).then(
    (result) => assert.fail(`It was answered: ${JSON.stringify(result.rows)}`),
    ({ code, message }: QueryError) => ({ code, message }),
  )

/** One worker does for all of them. */
const inTurn = async <T>(queries: readonly string[], step: (sql: string) => Promise<T>) => {
  const results: T[] = []
  for (const sql of queries) results.push(await step(sql))
  return results
}

const onLinux = {
  skip: process.platform === 'linux' ? false : 'children are read from /proc',
}

const FOREVER = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) '

test('a query gives its columns and rows, and says that it is whole', async () => {
  const { elapsedMs, ...rest } = await ask(
    'SELECT id, repository FROM sessions ORDER BY created_at; -- all of them',
  )
  assert.deepEqual(rest, {
    columns: ['id', 'repository'],
    rows: [
      [FIRST, 'octo/one'],
      [SECOND, 'octo/two'],
    ],
    truncated: false,
  })
  assert.ok(elapsedMs > 0)
})

test('every kind of value comes back as it is stored', async () => {
  const rows = await rowsOf(
    "SELECT 1, -2.5, 9007199254740993, 9007199254740991, 'ä', x'00ff', NULL",
  )
  assert.deepEqual(rows, [
    [1, -2.5, 9007199254740993n, 9007199254740991, 'ä', new Uint8Array([0, 255]), null],
  ])
})

test('parameters are bound by place and by name', async () => {
  const sql = 'SELECT user_message FROM turns WHERE session_id = ?1 AND turn_index = ?2'
  assert.deepEqual(await rowsOf(sql, { params: [FIRST, 1] }), [['mend it']])
  const named = 'SELECT $text, :count'
  const params = { text: "'; DROP TABLE turns --", count: 12345678901234567n }
  assert.deepEqual(await rowsOf(named, { params }), [
    ["'; DROP TABLE turns --", 12345678901234567n],
  ])
})

test('queries that are written for the Copilot CLI store run: search, ranks, snippets, joins, windows', async () => {
  assert.deepEqual(
    await rowsOf(
      "SELECT s.id, snippet(search_index, 0, '[', ']', '…', 4) FROM search_index JOIN sessions s ON s.id = search_index.session_id WHERE search_index MATCH 'lease' ORDER BY bm25(search_index), rank",
    ),
    [
      [FIRST, '…the [lease] is given…'],
      [FIRST, 'the [lease] test hangs…'],
    ],
  )
  assert.deepEqual(
    await rowsOf(
      'SELECT session_id, row_number() OVER (PARTITION BY session_id ORDER BY turn_index) FROM turns ORDER BY 1, 2',
    ),
    [
      [FIRST, 1],
      [FIRST, 2],
      [SECOND, 1],
    ],
  )
  assert.deepEqual(await rowsOf('WITH t AS (SELECT * FROM turns) SELECT count(*) FROM t'), [[3]])
  assert.deepEqual(await rowsOf('SELECT value FROM json_each(\'[1,"b"]\')'), [[1], ['b']])
})

test('rows and bytes are capped while they are read, and a cut is told', async () => {
  const few = await ask(`${FOREVER} SELECT x FROM c`, { maxRows: 2 })
  assert.deepEqual([few.rows, few.truncated], [[[1], [2]], true])
  const exact = await ask('SELECT id FROM turns ORDER BY id', { maxRows: 3 })
  assert.deepEqual([exact.rows, exact.truncated], [[[1], [2], [3]], false])
  const narrow = await ask(`${FOREVER} SELECT 'abcdefghij' AS t FROM c`, { maxBytes: 25 })
  assert.deepEqual([narrow.rows, narrow.truncated], [[['abcdefghij'], ['abcdefghij']], true])
  const wide = await failure("SELECT printf('%300000d', 1)")
  assert.deepEqual(wide.code, 'too_large')
  assert.match(wide.message, /substr\(\)/)
})

test('a mistake is answered with what there is', async () => {
  assert.deepEqual(await failure('SELECT * FROM session'), {
    code: 'syntax',
    message:
      'no such table: session. The tables are: schema_version, sessions, turns, checkpoints, session_files, session_refs, assistant_usage_events, dynamic_context_items, search_index, reprise_sessions, reprise_turns, reprise_tool_calls, reprise_artifacts.',
  })
  assert.deepEqual(await failure('SELECT title FROM sessions'), {
    code: 'syntax',
    message:
      'no such column: title. sessions has: id, cwd, repository, host_type, branch, summary, created_at, updated_at.',
  })
  assert.equal((await failure('SELECT 1 +')).code, 'syntax')
  assert.equal((await failure('-- nothing')).code, 'syntax')
  assert.equal((await failure("SELECT json('{')")).code, 'syntax')
  assert.equal((await failure('SELECT ?', { params: [1, 2] })).code, 'syntax')
})

test('what is refused is named', async () => {
  const what = async (sql: string) =>
    /^Not allowed: (.*?)\. /.exec((await failure(sql)).message)?.[1]
  assert.deepEqual(
    await inTurn(
      [
        "ATTACH 'x.db' AS x",
        'DELETE FROM turns',
        'DROP TABLE turns',
        "SELECT load_extension('x')",
        'PRAGMA journal_mode = DELETE',
        'SELECT * FROM reprise_cursors',
        'SELECT count(*) FROM search_index_content',
        'SELECT * FROM dbstat',
        'BEGIN IMMEDIATE',
        'CREATE TEMP TABLE t (x)',
      ],
      what,
    ),
    [
      'ATTACH or VACUUM',
      'DELETE on turns',
      'a change of the schema',
      'the function load_extension()',
      'PRAGMA journal_mode',
      'the table reprise_cursors',
      'the table search_index_content',
      'the table dbstat',
      'BEGIN',
      'a change of the schema',
    ],
  )
  assert.match((await failure('SELECT 1; SELECT 2')).message, /^Only one statement/)
  assert.match((await failure('SELECT 1\0')).message, /NUL character/)
})

test('a query that never ends is ended, and the next one is answered', async () => {
  const { code } = await failure(`${FOREVER} SELECT count(*) FROM c`, { deadlineMs: 100 })
  assert.deepEqual([code, await rowsOf('SELECT 1')], ['deadline', [[1]]])
})

test('a query that takes too much memory is ended, and the next one is answered', async () => {
  const { code } = await failure(
    `${FOREVER} SELECT count(*) FROM (SELECT printf('%10000d', x) AS t FROM c ORDER BY t DESC)`,
    { deadlineMs: 20_000 },
  )
  assert.deepEqual([code, await rowsOf('SELECT 1')], ['too_large', [[1]]])
})

test('the caller can stop a query', async () => {
  const stop = new AbortController()
  const asked = ask(`${FOREVER} SELECT count(*) FROM c`, {
    signal: stop.signal,
    deadlineMs: 60_000,
  })
  // The first is running when the second is answered by another worker.
  await ask('SELECT 1')
  stop.abort(new Error('no longer wanted'))
  await assert.rejects(asked, /no longer wanted/)
  await assert.rejects(ask('SELECT 1', { signal: stop.signal }), /no longer wanted/)
})

test('a missing or foreign store is unavailable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-sql-'))
  const at = (name: string) => join(folder, name)
  writeFileSync(at('foreign.db'), 'this is no database, whatever its name may say'.repeat(100))
  const codes = await Promise.all(
    [at('missing.db'), at('foreign.db')].map((path) =>
      runQuery(path, { sql: 'SELECT * FROM sessions' }, pool).catch(
        (error: QueryError) => error.code,
      ),
    ),
  )
  assert.deepEqual(codes, ['unavailable', 'unavailable'])
  rmSync(folder, { recursive: true })
})

test('a scope shows one repository under the same names', async () => {
  const one = { scope: { repository: 'octo/one' } }
  const counts = (rest: Omit<Query, 'sql'>) =>
    rowsOf(
      "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM turns), (SELECT count(*) FROM search_index WHERE search_index MATCH 'lease OR secret')",
      rest,
    )
  assert.deepEqual(await counts({}), [[2, 3, 3]])
  assert.deepEqual(await counts(one), [[1, 2, 2]])
  assert.deepEqual(await counts({ scope: { repository: "o'x/two" } }), [[0, 0, 0]])
  assert.deepEqual(
    await rowsOf(
      "SELECT snippet(search_index, 0, '[', ']', '…', 3) FROM search_index WHERE search_index MATCH 'lock' ORDER BY rank",
      one,
    ),
    [['…for a [lock].']],
  )
})

test('a scoped query has no way around its scope', async () => {
  const rest = { scope: { repository: 'octo/one' } }
  const tried = [
    'SELECT * FROM main.turns',
    'SELECT count(*) FROM MAIN.turns',
    'WITH turns AS (SELECT * FROM main.turns) SELECT * FROM turns',
    'WITH only_ AS (SELECT * FROM main.turns) SELECT * FROM only_',
    'SELECT * FROM sqlite_temp_master',
    'SELECT count(*) FROM temp.sqlite_master',
    'SELECT c0 FROM search_index_content',
    'SELECT 1 FROM search_index_content',
    'SELECT version FROM schema_version',
    'SELECT (SELECT user_message FROM main.turns WHERE id = 3) FROM turns',
    'SELECT * FROM turns NATURAL JOIN main.sessions',
  ]
  const codes = await inTurn(tried, async (sql) => (await failure(sql, rest)).code)
  assert.deepEqual(
    codes,
    tried.map(() => 'refused'),
  )
  assert.deepEqual(await failure('SELECT * FROM session', rest), {
    code: 'syntax',
    message:
      'no such table: session. The tables are: sessions, turns, checkpoints, session_files, session_refs, assistant_usage_events, dynamic_context_items, search_index, reprise_sessions, reprise_turns, reprise_tool_calls, reprise_artifacts.',
  })
})

test('statements and parameters of any size are refused before they are run', async () => {
  assert.equal((await failure(`SELECT '${'x'.repeat(300_000)}'`)).code, 'too_large')
  assert.equal((await failure('SELECT ?', { params: ['x'.repeat(2_000_000)] })).code, 'too_large')
})

test('an idle worker does not keep its parent alive', async () => {
  const child = startParent(`
    // One that no query uses, because it has other bounds.
    sharedPool().warm(64)
    const { rows } = await ask('SELECT count(*) FROM turns')
    process.stdout.write(JSON.stringify(rows))`)
  const told = await child.stdout.toArray()
  assert.deepEqual([told.join(''), child.exitCode ?? (await once(child, 'exit'))[0]], ['[[3]]', 0])
})

test('a worker that died while nothing was asked is replaced', onLinux, async () => {
  await ask('SELECT 1')
  const workers = childrenOf(process.pid)
  for (const worker of workers) process.kill(worker, 'SIGKILL')
  while (workers.some(isRunning)) await nextLook(10)
  assert.deepEqual(await rowsOf('SELECT 1'), [[1]])
})

test('a worker ends with its parent, in the middle of a query too', onLinux, async () => {
  const child = startParent(`
    await ask('SELECT 1')
    void ask(${JSON.stringify(`${FOREVER} SELECT count(*) FROM c`)})
    // Answered by a second worker, when the first has begun.
    await ask('SELECT 1')
    process.stdout.write('asked')`)
  await once(child.stdout, 'data')
  const workers = childrenOf(child.pid ?? 0)
  assert.deepEqual(workers.map(isRunning), [true, true])
  child.kill('SIGKILL')
  await once(child, 'exit')
  while (workers.some(isRunning)) await nextLook(10)
})

function startParent(script: string): ChildProcessByStdio<null, Readable, null> {
  const file = new URL('run-query.ts', import.meta.url).href
  const head = `
    import { runQuery, sharedPool } from ${JSON.stringify(file)}
    const ask = (sql) => runQuery(${JSON.stringify(store.path)}, { sql, deadlineMs: 60_000 })`
  const args = ['--input-type=module', '-e', head + script]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .flatMap((child) => (child === '' ? [] : Number(child)))

/** A process that nobody has waited for yet has ended all the same. */
function isRunning(pid: number): boolean {
  try {
    return !/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('it works from a bundle, where the worker is a file of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-sql-'))
  const source = (name: string) => new URL(name, import.meta.url).pathname
  await build({
    entryPoints: {
      main: source('run-query.ts'),
      other: source('session-sql.ts'),
      'sql-worker': source('worker.ts'),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'silent',
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const bundled = (await import(pathToFileURL(join(folder, 'main.js')).href)) as {
    runQuery(path: string, query: Query): Promise<QueryResult>
  }
  const { rows } = await bundled.runQuery(store.path, { sql: 'SELECT count(*) FROM turns' })
  assert.deepEqual(rows, [[3]])
  rmSync(folder, { recursive: true })
})
