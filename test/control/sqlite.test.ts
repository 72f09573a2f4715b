/** The embedded engine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openSqlite } from '../../src/control/sqlite/open.ts'
import { describeDatabase } from './database.contract.ts'
import { describeDerived } from './derived.contract.ts'
import { describeIsolation } from './isolation.contract.ts'
import { describeKeeping } from './keeping.contract.ts'
import { begin, describeLive } from './live.contract.ts'
import { event, startNode } from './node.ts'
import { describeObjects } from './objects.contract.ts'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
  folders.push(folder)
  return folder
}
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

describeDatabase('SQLite', async () => openSqlite({ folder: await newFolder(), as: 'node' }))
describeLive('SQLite', () => startNode())
describeIsolation('SQLite', () => startNode())
describeDerived('SQLite', () => startNode())
describeKeeping('SQLite', () => startNode())
describeObjects('SQLite', async () => openSqlite({ folder: await newFolder(), as: 'node' }))

test('commits are synced, whatever the default of SQLite is', async () => {
  await using db = await openSqlite({ folder: await newFolder(), as: 'node' })
  const { journal, synchronous } = await db.describe()
  assert.deepEqual({ journal, synchronous }, { journal: 'wal', synchronous: 'full' })
})

test('a second node is refused while the first lives, a visitor is not, and a killed node frees the folder', async () => {
  const folder = await newFolder()
  const open = join(import.meta.dirname, '../../src/control/sqlite/open.ts')
  const script = `const { openSqlite } = await import(${JSON.stringify(open)}); await openSqlite({ folder: ${JSON.stringify(folder)}, as: 'node' }); console.log('open'); setInterval(() => {}, 1e6)`
  const node = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(node.stdout, 'data')
  await assert.rejects(openSqlite({ folder, as: 'node' }), { code: 'in_use' })
  await (await openSqlite({ folder, as: 'visitor' }))[Symbol.asyncDispose]()
  node.kill('SIGKILL')
  await once(node, 'exit')
  await (await openSqlite({ folder, as: 'node' }))[Symbol.asyncDispose]()
})

test('a file that is damaged or something else is told, and left as it is', async () => {
  const folder = await newFolder()
  const path = join(folder, 'control.db')
  await (await openSqlite({ folder, as: 'node' }))[Symbol.asyncDispose]()
  const whole = await readFile(path)
  for (const bytes of [Buffer.alloc(8192, 'x'), Buffer.from(whole).fill(255, 100, 4096)]) {
    await writeFile(path, bytes)
    for (const as of ['node', 'visitor'] as const)
      await assert.rejects(openSqlite({ folder, as }), {
        code: 'unavailable',
        message: /is damaged.* It was left as it is/,
      })
    assert.ok((await readFile(path)).equals(bytes))
  }
})

test('a full disk is told in words, nothing is acknowledged, what is there is read, and room is enough to go on', async () => {
  await using node = await startNode()
  const pages = (pragma: string) => sql.raw<Record<string, number>>(pragma).execute(node.db.query)
  const ann = await node.person('ann')
  const claim = await begin(ann, 'one')
  assert.equal((await ann.send(claim.stream, claim, 0, [event('e1', null)])).status, 200)
  const { rows } = await pages('PRAGMA page_count')
  await pages(`PRAGMA max_page_count = ${Object.values(rows[0] ?? {})[0]}`)
  // As long ago as makes the next request note that the token was used.
  await node.db.query.updateTable('tokens').set({ used: 0 }).execute()
  const long = event('e2', 'e1', { data: { content: 'x'.repeat(500_000) } })
  const refused = await ann.send(claim.stream, claim, 1, [long])
  assert.equal(refused.status, 503)
  assert.match(refused.text, /The disk of the database is full\. Nothing was acknowledged/)
  const read = await ann.ask('GET', `${claim.stream}?offset=-1`)
  assert.deepEqual(
    (read.body as { id: string }[]).map(({ id }) => id),
    ['e1'],
  )
  await pages('PRAGMA max_page_count = 100000')
  assert.equal((await ann.send(claim.stream, claim, 1, [long])).status, 200)
})
