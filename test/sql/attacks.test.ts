/** None of the attacks writes, sees what it may not, outlives its deadline or grows; what comes after them is answered. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createPool, type Pool } from '../../src/store/query/pool.ts'
import { QueryError, type Query } from '../../src/store/query/query.ts'
import { runQuery } from '../../src/store/query/run-query.ts'
import { attacks, type Attack } from './attacks.ts'
import { FIRST, sampleStore, type SampleStore } from './sample-store.ts'

const DEADLINE_MS = 150
const ALLOWED_OVER_MS = 200
/** For a machine that has other things to do: what its scheduler may add before a kill is seen. */
const SLACK_MS = 800
const AT_ONCE = 3

const MEMORY_MB = 64
/** A worker that does nothing, and what a query takes between two looks of the watching thread. */
const WORKER_MB = 160

const CANARY = 'canary-7c1d'

type Answer = {
  readonly attack: Attack
  readonly code: string
  readonly elapsedMs: number
  readonly text: string
}

for (const scope of [undefined, { repository: 'octo/one' }]) {
  const how = scope === undefined ? 'the whole store' : 'one repository'

  test(`attacks on ${how} leave everything as it was, in time, and the next query is answered`, async () => {
    using store = await sampleStore()
    const folder = preparedFolder(store)
    const pool = createPool({ idle: AT_ONCE })
    try {
      // The files that SQLite keeps beside a database are there from the first reader on.
      await runQuery(store.path, { sql: 'SELECT 1 FROM turns' }, pool)
      const before = everythingIn(store.folder)
      const all = scope === undefined ? attacks(folder) : attacks(folder).filter(isQuick)
      const { answers, peakMb } = await whileMeasured(() => attackAll(store, all, pool, scope))

      assert.deepEqual(everythingIn(store.folder), before)
      assert.deepEqual(
        answers.filter(({ attack, code }) => attack.expect === 'refused' && code === 'answered'),
        [],
      )
      assert.deepEqual(
        answers.filter(({ text }) => text.includes(CANARY)),
        [],
      )
      assert.deepEqual(
        answers
          .filter(({ elapsedMs }) => elapsedMs > DEADLINE_MS + ALLOWED_OVER_MS + SLACK_MS)
          .map(({ attack, code, elapsedMs }) => ({
            sql: attack.sql.slice(0, 100),
            code,
            elapsedMs,
          })),
        [],
      )
      assert.ok(peakMb < MEMORY_MB + WORKER_MB, `a worker had ${peakMb} MB`)
      const { rows } = await runQuery(
        store.path,
        { sql: 'SELECT count(*) FROM turns WHERE session_id = ?', params: [FIRST] },
        pool,
      )
      assert.deepEqual(rows, [[2]])
    } finally {
      pool.end()
    }
  })
}

test('there are at least 300 different attacks', () => {
  assert.ok(new Set(attacks('/tmp').map(({ sql }) => sql)).size >= 300)
})

/** A database that nobody gave leave to read, and a working directory for what is written by a bare name. */
function preparedFolder(store: SampleStore): string {
  const folder = join(store.folder, 'reach')
  mkdirSync(folder)
  process.chdir(folder)
  const other = new DatabaseSync(join(folder, 'other.db'))
  other.exec(`CREATE TABLE secrets (text); INSERT INTO secrets VALUES ('${CANARY}')`)
  other.close()
  store.db.exec(
    `INSERT INTO reprise_cursors (session_id, offset, last_event_start, turn_count, carried) VALUES ('x', 0, 0, 0, '${CANARY}')`,
  )
  return folder
}

/** Those that are about time and memory do not depend on the scope. */
const isQuick = ({ sql, expect }: Attack) => expect === 'refused' || !/RECURSIVE|printf/.test(sql)

async function attackAll(
  store: SampleStore,
  all: readonly Attack[],
  pool: Pool,
  scope: Query['scope'],
): Promise<Answer[]> {
  const answers: Answer[] = []
  const left = all.values()
  const lane = async () => {
    for (const attack of left) answers.push(await attackOnce(store.path, attack, pool, scope))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return answers
}

async function attackOnce(
  path: string,
  attack: Attack,
  pool: Pool,
  scope: Query['scope'],
): Promise<Answer> {
  const limits = { deadlineMs: DEADLINE_MS, memoryMb: MEMORY_MB, maxRows: 50, maxBytes: 64 * 1024 }
  try {
    const query = { sql: attack.sql, ...limits, ...(scope && { scope }) }
    const { rows, elapsedMs } = await runQuery(path, query, pool)
    return { attack, code: 'answered', elapsedMs, text: rows.flat().map(String).join(' ') }
  } catch (error) {
    assert.ok(error instanceof QueryError, `${attack.sql.slice(0, 200)}: ${String(error)}`)
    // What never reached a worker took no time.
    const { elapsedMs = 0 } = error.details as { elapsedMs?: number }
    return { attack, code: error.code, elapsedMs, text: error.message }
  }
}

/** Names, sizes and bytes; of the shared memory only the name, because readers mark in it how far they read. */
function everythingIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    globSync('**/*', { cwd: folder })
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, name.endsWith('-shm') ? '' : hashOf(join(folder, name))]),
  )
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

async function whileMeasured(
  work: () => Promise<Answer[]>,
): Promise<{ answers: Answer[]; peakMb: number }> {
  let peakMb = 0
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, ...childrenMb())
  }, 5)
  try {
    const answers = await work()
    return { answers, peakMb }
  } finally {
    clearInterval(timer)
  }
}

/** Only Linux tells it without another process. */
function childrenMb(): number[] {
  if (process.platform !== 'linux') return []
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  return children
    .split(' ')
    .filter((pid) => pid !== '')
    .map((pid) => {
      try {
        const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]
        return (Number(pages) * 4096) / 2 ** 20
      } catch {
        // It has ended since.
        return 0
      }
    })
}
