/** The embedded engine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSqlite } from '../../src/control/sqlite/open.ts'
import { describeDatabase } from './database.contract.ts'
import { describeDerived } from './derived.contract.ts'
import { describeIsolation } from './isolation.contract.ts'
import { describeKeeping } from './keeping.contract.ts'
import { describeLive } from './live.contract.ts'
import { startNode } from './node.ts'
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
