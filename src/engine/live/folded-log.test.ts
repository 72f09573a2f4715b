import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDisk } from '../../fs/disk.ts'
import { answered, logOf, said, started } from '../../../test/log-of.ts'
import type { Draft } from '../../format/event.ts'
import { readLog } from '../../log/read.ts'
import {
  catchUp,
  emptyFoldedLog,
  cutBack,
  keepSnapshot,
  apply,
  load,
  stateAt,
  type FoldedLog,
} from './folded-log.ts'

const home = mkdtempSync(join(tmpdir(), 'reprise-folded-'))
after(() => rmSync(home, { recursive: true }))
const fs = openDisk(home)

// Long enough for a point every few turns.
const TURN: readonly Draft[] = [
  said('x'.repeat(200_000)),
  ...[1, 2, 3, 4].map(() => answered('y'.repeat(50_000))),
]
const TURNS = Array.from({ length: 12 }, () => TURN).flat()
const LONG: readonly Draft[] = [started(), ...TURNS, said('and a short one')]

const linesOf = (drafts: readonly Draft[]): string =>
  logOf(drafts)
    .map(({ event }) => `${JSON.stringify(event)}\n`)
    .join('')

function session(name: string): { dir: string; log: string; snapshot: string } {
  const dir = `session-state/${name}`
  mkdirSync(join(home, dir), { recursive: true })
  const log = join(home, dir, 'events.jsonl')
  writeFileSync(log, linesOf(LONG))
  return { dir, log, snapshot: join(home, dir, '.reprise', 'snapshot.json') }
}

const known = ({ folder, last }: FoldedLog) => ({ state: folder.state(), last })

/** The log as a process knows it that never saw an earlier one. */
async function afresh({ dir, snapshot }: { dir: string; snapshot: string }) {
  rmSync(snapshot, { force: true })
  return known(await load(fs, dir))
}

test('what a snapshot tells is what the log tells, and the log is not read again', async () => {
  const { dir, snapshot } = session('same')
  await keepSnapshot(fs, dir, await load(fs, dir), { always: true })
  const folded = await load(fs, dir)
  const before = known(folded)
  assert.deepEqual(await catchUp(fs, dir, folded), { records: [], reset: false })
  assert.deepEqual(before, await afresh({ dir, snapshot }))
})

test('a snapshot leads to any earlier place at which the log was cut', async () => {
  for (const turns of [0, 1, 2, 5, 11, 12]) {
    const { dir, log, snapshot } = session(`cut-${turns}`)
    const first = await load(fs, dir)
    await keepSnapshot(fs, dir, first, { always: true })
    truncateSync(log, first.folder.state().turns[turns]?.start ?? 0)
    const cut = known(await load(fs, dir))
    assert.deepEqual(cut, await afresh({ dir, snapshot }), `cut before turn ${turns}`)
  }
})

test('every point leads to the state at its place, however the log was learnt', async () => {
  const { dir } = session('points')
  const whole = await load(fs, dir)
  const grown = emptyFoldedLog()
  for await (const { records } of readLog(fs, `${dir}/events.jsonl`, { chunkBytes: 16 * 1024 })) {
    apply(grown, records)
  }
  for (const folded of [whole, grown]) {
    const { points } = folded
    assert.ok(points.length > 10, String(points.length))
    assert.ok(points.every(({ offset }, at) => offset > (points[at - 1]?.offset ?? 0)))
    for (const { offset } of points) {
      const unaided = await stateAt(fs, dir, { ...folded, points: [] }, offset)
      assert.deepEqual(await stateAt(fs, dir, folded, offset), unaided)
    }
  }
})

test('points stand close together at the end and wide apart before', async () => {
  const { dir } = session('spaced')
  const { points, folder } = await load(fs, dir)
  const { size } = folder.state()
  const gaps = points.map(
    ({ offset }, at) => [offset, offset - (points[at - 1]?.offset ?? 0)] as const,
  )
  const early = gaps.filter(([offset]) => offset < size - 1024 * 1024)
  assert.ok(early.length > 0 && early.every(([, gap]) => gap >= 512 * 1024))
  assert.ok(points.length - early.length >= 8)
})

test('a session that was cut and went on otherwise is known as it is', async () => {
  const { dir, log, snapshot } = session('otherwise')
  const first = await load(fs, dir)
  await keepSnapshot(fs, dir, first, { always: true })
  truncateSync(log, first.folder.state().turns[6]?.start ?? 0)
  const other = linesOf([...LONG, ...TURN, ...TURN, ...TURN])
    .split('\n')
    .slice(LONG.length)
  appendFileSync(log, other.join('\n'))
  const loaded = known(await load(fs, dir))
  assert.deepEqual(loaded, await afresh({ dir, snapshot }))
})

test('going back after a cut gives what the shorter log gives', async () => {
  for (const point of [0, 1]) {
    const { dir, log, snapshot } = session(`back-${point}`)
    const folded = await load(fs, dir)
    const cutAt = folded.points[point]?.offset ?? 0
    truncateSync(log, cutAt)
    await cutBack(fs, dir, folded, cutAt)
    assert.deepEqual(known(folded), await afresh({ dir, snapshot }))
  }
})

test('a short cut leaves the snapshot alone and a long one replaces it', async () => {
  const { dir, log } = session('replaced')
  const folded = await load(fs, dir)
  await keepSnapshot(fs, dir, folded, { always: true })
  const whole = folded.snapshotAt
  const { turns } = folded.folder.state()
  for (const [turn, isReplaced] of [
    [12, false],
    [3, true],
  ] as const) {
    const cutAt = turns[turn]?.start ?? 0
    truncateSync(log, cutAt)
    await cutBack(fs, dir, folded, cutAt)
    await keepSnapshot(fs, dir, folded, { always: false })
    assert.equal(folded.snapshotAt, isReplaced ? cutAt : whole)
  }
})
