import assert from 'node:assert/strict'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { gave, said } from '../../test/log-of.ts'
import { openStoreHome, sessionId } from '../../test/support/store.ts'
import { dumpStore } from '../../test/support/store-dump.ts'
import type { Draft } from '../format/event.ts'
import { openDisk } from '../fs/disk.ts'
import { applyChanges } from './apply.ts'
import { stepsFor } from './catch-up.ts'
import { connect } from './connection.ts'
import { sqlOf } from './sql.ts'
import { inTransaction } from './transaction.ts'

const ID = sessionId(1)

const began = (path: string): Draft => ({
  type: 'tool.execution_start',
  data: { toolCallId: 'call', toolName: 'edit', arguments: { path } },
})

it('writes a call as it was first told of, in whatever stretches that was', async () => {
  const told = [said('go'), began('a.ts'), began('b.ts'), gave('call', 'one'), gave('call', 'two')]
  for (let cut = 1; cut < told.length; cut++) {
    await using home = openStoreHome()
    home.write(ID, told.slice(0, cut))
    const store = home.store()
    store.follower.changed(ID)
    await store.follower.settled()
    home.append(ID, told.slice(cut))
    store.follower.changed(ID)
    await store.follower.settled()
    const live = dumpStore((await store.path())!)
    await store.reindex({ force: true })
    assert.deepEqual(live, dumpStore((await store.path())!), `cut at ${cut}`)
    const [call = '{}'] = live.reprise_tool_calls ?? []
    const { output, paths } = JSON.parse(call) as { output: string; paths: string }
    assert.deepEqual({ output, paths }, { output: 'one', paths: '["a.ts"]' })
  }
})

it('takes no changes that begin where the store is not any more', async () => {
  await using home = openStoreHome()
  home.write(ID, [said('hello'), began('a.ts'), gave('call', 'ok')])
  const fs = openDisk(home.path)
  const connection = connect(fs, { cacheFolder: home.path })
  const path = (await connection.path())!
  const results = await connection.use(async (db) => {
    const [step] = await Array.fromAsync(stepsFor(fs, sqlOf(db), ID))
    const apply = () => applyChanges(sqlOf(db), step!.changes, step!.facts)
    const first = inTransaction(db, apply)
    const before = dumpStore(path)
    const second = inTransaction(db, apply)
    assert.deepEqual(dumpStore(path), before)
    return [first, second]
  })
  connection.close()
  assert.deepEqual(results, [true, false])
})

it('reads no further than a redo that is under way', async () => {
  await using home = openStoreHome()
  home.write(ID, [said('before')])
  const from = statSync(home.log(ID)).size
  home.append(ID, [said('after')])
  const intent = join(dirname(home.log(ID)), '.reprise', 'redo.json')
  mkdirSync(dirname(intent))
  writeFileSync(intent, JSON.stringify({ entry: '001', from, to: statSync(home.log(ID)).size }))
  const store = home.store()
  await store.reindex()
  assert.equal(dumpStore((await store.path())!).turns?.length, 1)
})

it('tells which turn a person stopped', async () => {
  await using home = openStoreHome()
  home.write(ID, [
    said('one'),
    { type: 'abort', data: { reason: 'user_abort' } },
    said('two'),
    gave('call', 'ok'),
  ])
  const store = home.store()
  await store.reindex({ force: true })
  const rows = (dumpStore((await store.path())!).reprise_turns ?? []).map(
    (row) => (JSON.parse(row) as { stopped: number | null }).stopped,
  )
  assert.deepEqual(rows, [1, null])
})

it('finds both of two handovers in one turn', async () => {
  await using home = openStoreHome()
  const over = (summary: string) => ({
    type: 'session.handoff' as const,
    data: { handoffTime: '2026-03-02T09:30:00.000Z', sourceType: 'local', summary },
  })
  home.write(ID, [said('one'), over('from the first'), over('from the second')])
  const store = home.store()
  assert.deepEqual((await store.reindex()).failed, [])
  const told = dumpStore((await store.path())!)
    .documents?.map((row) => (JSON.parse(row) as { content: string }).content)
    .filter((content) => content.startsWith('from'))
  assert.deepEqual(told?.sort(), ['from the first', 'from the second'])
})
