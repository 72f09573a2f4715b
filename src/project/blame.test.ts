import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleProject } from '../../test/support/sample-project.ts'
import type { TimeTravel } from './time-travel.ts'

const authors = async (travel: TimeTravel, path: string) => {
  const blamed = await travel.blame(path)
  return blamed.kind === 'lines' ? blamed.authors : []
}

const who = async (travel: TimeTravel, path: string) =>
  (await authors(travel, path)).map((each) => (each.kind === 'call' ? each.toolCallId : each.kind))

test('a line belongs to the call that last wrote it, wherever it has moved since', async () => {
  using project = sampleProject({ 'a.ts': 'one\ntwo\nthree\n' })
  const travel = await project.open()
  await project.call(travel, 'first', () => project.write('a.ts', 'one\nTWO\nthree\n'))
  await project.call(travel, 'second', () => project.write('a.ts', 'zero\none\nTWO\nthree\nfour\n'))
  assert.deepEqual(await who(travel, 'a.ts'), ['second', 'older', 'first', 'older', 'second'])
  assert.deepEqual((await authors(travel, join(project.root, 'a.ts')))[2], {
    kind: 'call',
    turnEventId: 'turn of first',
    toolCallId: 'first',
    at: '2026-01-01T00:00:02.000Z',
  })
})

test('lines from outside are not charged to an agent', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'first', () => project.write('a', '1\n2\n'))
  project.write('a', '1\n2\nbetween\n')
  await project.call(travel, 'second', () => project.write('a', '1\n2\nbetween\n4\n'))
  project.write('a', '1\n2\nbetween\n4\nafter\n')
  assert.deepEqual(await who(travel, 'a'), ['older', 'first', 'outside', 'second', 'outside'])
  assert.deepEqual((await authors(travel, 'a')).at(-1), {
    kind: 'outside',
    after: '2026-01-01T00:00:04.000Z',
  })
})

test('the author of a line stays through renames, rewinds and redos', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'first', () => project.write('a', '1\n2\n'))
  await project.call(travel, 'move', () =>
    renameSync(join(project.root, 'a'), join(project.root, 'b')),
  )
  await project.call(travel, 'third', () => project.write('b', '1\n2\n3\n'))
  assert.deepEqual(await who(travel, 'b'), ['older', 'first', 'third'])
  await travel.apply(await travel.planRewind({ position: 1 }))
  assert.deepEqual(await who(travel, 'a'), ['older', 'first'])
  await travel.redo()
  assert.deepEqual(await who(travel, 'b'), ['older', 'first', 'third'])
})

test('what is not in the record is said', async () => {
  using project = sampleProject({ old: '1\n', picture: 'a\0b' })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('gone', '1\n'))
  rmSync(join(project.root, 'gone'))
  assert.deepEqual(await travel.blame('old'), { kind: 'lines', authors: [{ kind: 'older' }] })
  assert.deepEqual(await travel.blame('picture'), { kind: 'binary' })
  assert.deepEqual(await travel.blame('gone'), { kind: 'noSuchFile' })
  assert.deepEqual(await travel.blame('../home'), { kind: 'noSuchFile' })
})
