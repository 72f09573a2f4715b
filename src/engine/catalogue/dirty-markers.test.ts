import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { SessionId } from '../../format/ids.ts'
import { openDisk } from '../../fs/disk.ts'
import { FsError } from '../../fs/fs-error.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { selfIdentity } from '../../lib/process-identity.ts'
import { TOUCHED, announce, sweepTouched, touch, touchedSince } from './dirty-markers.ts'

const base = mkdtempSync(join(tmpdir(), 'reprise-touched-'))
after(() => rmSync(base, { recursive: true, force: true }))
let root: string
let fs: SessionFs
let count = 0
beforeEach(() => {
  root = join(base, String(++count))
  fs = openDisk(root)
})

const id = '00000000-0000-4000-8000-000000000001' as SessionId
const other = '00000000-0000-4000-8000-000000000002' as SessionId
const marks = (): string[] => readdirSync(join(root, TOUCHED)).sort()
const MINUTE = 60_000

function age(name: string, ms: number): void {
  const time = new Date(Date.now() - ms)
  utimesSync(join(root, TOUCHED, name), time, time)
}

test('a session counts as touched from before the first write until after the last', async () => {
  const later = Date.now() + MINUTE
  const isOver = await announce(fs, id)
  assert.deepEqual([...((await touchedSince(fs, later)) ?? [])], [id])
  await isOver()
  assert.deepEqual([...((await touchedSince(fs, later)) ?? [])], [])
  assert.deepEqual([...((await touchedSince(fs, Date.now() - MINUTE)) ?? [])], [id])
})

test('a process leaves one mark a session, however often it writes', async () => {
  for (let n = 0; n < 3; n += 1) await (await announce(fs, id))()
  await touch(fs, other)
  assert.deepEqual(
    marks().map((name) => name.replace(/\.[0-9a-f]{12}\./, '.')),
    [`${id}.done`, `${other}.done`],
  )
})

test('old marks are swept when their process has ended, and only then', async () => {
  await touch(fs, id)
  const [own = ''] = marks()
  const dead = JSON.stringify({ ...selfIdentity(), startTime: '1' })
  const gone = `${other}.0123456789ab.done`
  writeFileSync(join(root, TOUCHED, gone), dead)
  await sweepTouched(fs, Date.now() - MINUTE)
  assert.deepEqual(marks(), [own, gone])
  for (const name of [own, gone]) age(name, 2 * MINUTE)
  await sweepTouched(fs, Date.now() - MINUTE)
  assert.deepEqual(marks(), [own])
})

test('a process that died while it held a session wrote until now, as far as is known', async () => {
  await touch(fs, id)
  const open = `${other}.0123456789ab.open`
  writeFileSync(join(root, TOUCHED, open), JSON.stringify({ ...selfIdentity(), startTime: '1' }))
  age(open, 2 * MINUTE)
  const since = Date.now()
  assert.ok((await touchedSince(fs, since + MINUTE))?.has(other))
  await sweepTouched(fs, since - MINUTE)
  assert.ok(marks().includes(`${other}.0123456789ab.left`) && !marks().includes(open))
  assert.ok((await touchedSince(fs, since))?.has(other))
})

test('what is no mark is left alone and says nothing', async () => {
  await touch(fs, id)
  writeFileSync(join(root, TOUCHED, 'note.txt'), '')
  age('note.txt', 2 * MINUTE)
  await sweepTouched(fs, Date.now() - MINUTE)
  assert.ok(marks().includes('note.txt'))
  assert.deepEqual([...((await touchedSince(fs, 0)) ?? [])], [id])
})

test('a home that takes no mark does not keep a session from being written', async () => {
  const writeAtomic = () => Promise.reject(new FsError('ENOSPC', root, 'full'))
  await (
    await announce({ ...fs, writeAtomic }, id)
  )()
})
