/** Many processes write sessions of one home at once, and the store of each follows: one database for all of them. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDisk } from '../../src/fs/disk.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { dumpStore } from '../support/store-dump.ts'
import { startProcess } from './start-writer.ts'

export type Written = {
  readonly turns: number
  readonly sessions: number
  /** Sessions that a store was told of and could not write before its process ended. */
  readonly late: number
  readonly walBytes: number
}

const MOST_WAL_BYTES = 64 * 1024 * 1024

export async function writeFromMany(
  home: string,
  { processes, forMs }: { readonly processes: number; readonly forMs: number },
): Promise<Written> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const lines = (await writeAll(home, processes, forMs)).map((line) => line.split(' '))
  assert.deepEqual(
    lines.filter(([word]) => word === 'failed').map((words) => words.join(' ')),
    [],
  )
  const kept = lines.flatMap(([word, id = '', turns]) =>
    word === 'kept' ? [[id, Number(turns)] as const] : [],
  )
  const walBytes = Math.max(...lines.map(([word, bytes]) => (word === 'wal' ? Number(bytes) : 0)))
  assert.ok(walBytes <= MOST_WAL_BYTES, `the write-ahead log grew to ${walBytes} bytes`)
  const live = createStore(openDisk(home), { cacheFolder: home })
  try {
    const late = await behind(live, kept)
    await live.catchUp()
    await requireAsRebuilt(home, live, kept)
    const turns = kept.reduce((sum, [, count]) => sum + count, 0)
    return { turns, sessions: kept.length, late, walBytes }
  } finally {
    await live.close()
  }
}

async function writeAll(home: string, processes: number, forMs: number): Promise<string[]> {
  const writers = Array.from({ length: processes }, (_, number) =>
    startProcess('store-writer.ts', [home, String(forMs), String(number)]),
  )
  try {
    await Promise.all(writers.map((writer) => writer.line('ready')))
    for (const writer of writers) writer.begin()
    const ends = await Promise.all(writers.map((writer) => writer.ended()))
    assert.deepEqual(
      ends.filter(({ code }) => code !== 0),
      [],
    )
    return writers.flatMap(({ lines }) => [...lines])
  } finally {
    await Promise.all(writers.map((writer) => writer[Symbol.asyncDispose]()))
  }
}

type Kept = readonly (readonly [id: string, turns: number])[]

async function behind(live: Store, kept: Kept): Promise<number> {
  const indexed = turnsIn((await live.path()) ?? '')
  return kept.filter(([id, turns]) => (indexed.get(id) ?? 0) !== turns).length
}

async function requireAsRebuilt(home: string, live: Store, kept: Kept): Promise<void> {
  const path = (await live.path()) ?? ''
  assert.deepEqual(turnsIn(path), new Map(kept.filter(([, turns]) => turns > 0).toSorted()))
  const afresh = createStore(openDisk(home), {
    cacheFolder: join(home, 'afresh'),
    isShared: () => true,
  })
  try {
    const { failed } = await afresh.reindex()
    assert.deepEqual(failed, [])
    assert.deepEqual(dumpStore(path), dumpStore((await afresh.path()) ?? ''))
  } finally {
    await afresh.close()
  }
}

function turnsIn(path: string): Map<string, number> {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = db
      .prepare('SELECT session_id AS id, count(*) AS turns FROM turns GROUP BY 1 ORDER BY 1')
      .all()
    return new Map(rows.map(({ id, turns }) => [String(id), Number(turns)]))
  } finally {
    db.close()
  }
}
