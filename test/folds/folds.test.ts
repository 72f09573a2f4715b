/**
 * What is derived from logs and believed later without being made again has a version. The same logs must give the same
 * value for as long as the version is the same: `recorded.json` holds a hash for each log. When a fold changes, its
 * version is raised, and `node test/folds/folds.test.ts --record` records the new hashes; for a version that is
 * recorded already it refuses. Logs here are never edited; a new one may be added at any time.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CATALOGUE_VERSION } from '../../src/engine/catalogue/catalogue-file.ts'
import { encodeRows } from '../../src/engine/catalogue/catalogue-row.ts'
import { readSummary } from '../../src/engine/catalogue/session-summary.ts'
import { eventSchemas, recognise } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { sessionDir } from '../../src/format/paths.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { STATE_VERSION, createFolder } from '../../src/state/fold.ts'
import { SCHEMA_VERSION } from '../../src/store/migrations.ts'
import { dumpStore } from '../support/store-dump.ts'
import { openStoreHome } from '../support/store.ts'

const folder = import.meta.dirname
const recordFile = join(folder, 'recorded.json')
const isRecording = process.argv.includes('--record')

type Recorded = { readonly version: number; readonly logs: Readonly<Record<string, string>> }
const recorded = JSON.parse(readFileSync(recordFile, 'utf8')) as Record<string, Recorded>

const ID = '11111111-1111-4111-8111-111111111111' as SessionId
const AT = new Date('2026-03-02T09:30:00.000Z')
/** A name, and no more: what it does not say is taken from the log. */
const YAML = `id: ${ID}\nname: A name\nuser_named: true\nsummary_count: 2\n`

const logs = globSync(['logs/*.jsonl', '../golden/v1/*/events.jsonl'], { cwd: folder }).sort()

type Derived = {
  readonly version: number
  readonly remedy: string
  readonly valueOf: (log: string) => unknown
}

const derived: Readonly<Record<string, Derived>> = {
  state: {
    version: STATE_VERSION,
    remedy: 'Raise STATE_VERSION in src/state/fold.ts',
    valueOf: everyState,
  },
  catalogue: {
    version: CATALOGUE_VERSION,
    remedy: 'Raise CATALOGUE_VERSION in src/engine/catalogue/catalogue-file.ts',
    valueOf: catalogueRows,
  },
  store: {
    version: SCHEMA_VERSION,
    remedy: 'Add a migration to src/store/migrations.ts that forgets what was indexed',
    valueOf: indexed,
  },
}

/** After each event: the state, and the point that leads back to it, as a snapshot stores them. */
function everyState(log: string): unknown {
  const folder = createFolder()
  let start = 0
  return log.split('\n').flatMap((line) => {
    const end = start + Buffer.byteLength(line) + 1
    const told = line === '' ? undefined : recognise(JSON.parse(line))
    if (told !== undefined && told.kind !== 'damage') folder.push({ event: told.event, start, end })
    start = end
    return [folder.state(), folder.point()]
  })
}

async function catalogueRows(log: string): Promise<unknown> {
  await using home = openStoreHome()
  const bytes = writeLog(home.path, log)
  const fs = openDisk(home.path)
  const rowOf = async () => ({
    logMtimeMs: AT.getTime(),
    folderMtimeMs: AT.getTime(),
    session: await readSummary(fs, sessionDir(ID), { id: ID, bytes, modifiedAt: AT.toISOString() }),
  })
  const bare = await rowOf()
  writeFileSync(join(home.path, sessionDir(ID), 'workspace.yaml'), YAML)
  return encodeRows([bare, await rowOf()])
}

async function indexed(log: string): Promise<unknown> {
  await using home = openStoreHome()
  writeLog(home.path, log)
  const store = home.store()
  assert.deepEqual((await store.reindex()).failed, [])
  return dumpStore((await store.path()) ?? '')
}

function writeLog(home: string, log: string): number {
  const dir = join(home, sessionDir(ID))
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'events.jsonl'), log)
  utimesSync(join(dir, 'events.jsonl'), AT, AT)
  return Buffer.byteLength(log)
}

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

for (const [name, { version, remedy, valueOf }] of Object.entries(derived)) {
  test(`${name}: a log gives what it gave when version ${version} was recorded`, async () => {
    const before = recorded[name]
    const hashes: Record<string, string> = {}
    for (const log of logs)
      hashes[log] = hashOf(await valueOf(readFileSync(join(folder, log), 'utf8')))
    if (isRecording) {
      const known = before?.version === version ? before.logs : {}
      recorded[name] = { version, logs: { ...hashes, ...known } }
      writeFileSync(recordFile, `${JSON.stringify(recorded, null, 2)}\n`)
    }
    const { [name]: now } = recorded
    assert.deepEqual(
      { version, logs: hashes },
      now,
      now?.version === version
        ? `The same log gives another value than before. ${remedy}, and record the new hashes: node test/folds/folds.test.ts --record`
        : `Version ${version} is not recorded: node test/folds/folds.test.ts --record`,
    )
  })
}

test('the logs hold an event of every type', () => {
  const types = new Set(
    logs.flatMap((log) =>
      readFileSync(join(folder, log), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { type: string }).type])),
    ),
  )
  assert.deepEqual(
    Object.keys(eventSchemas).filter((type) => !types.has(type)),
    [],
    'add a log with them to test/folds/logs, and record it',
  )
})
