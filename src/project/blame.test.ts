import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleProject } from '../../test/support/sample-project.ts'
import type { TimeTravel } from './time-travel.ts'

const who = async (travel: TimeTravel, path: string, lines: number) => {
  const answers = []
  for (let line = 1; line <= lines; line++) {
    const answer = await travel.blame(path, line)
    answers.push(answer.kind === 'call' ? answer.toolCallId : answer.kind)
  }
  return answers
}

test('a line belongs to the call that last wrote it, wherever it has moved since', async () => {
  using project = sampleProject({ 'a.ts': 'one\ntwo\nthree\n' })
  const travel = await project.open()
  await project.call(travel, 'first', () => project.write('a.ts', 'one\nTWO\nthree\n'))
  await project.call(travel, 'second', () => project.write('a.ts', 'zero\none\nTWO\nthree\nfour\n'))
  assert.deepEqual(await who(travel, 'a.ts', 5), ['second', 'older', 'first', 'older', 'second'])
  assert.deepEqual(await travel.blame(join(project.root, 'a.ts'), 3), {
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
  assert.deepEqual(await who(travel, 'a', 5), ['older', 'first', 'outside', 'second', 'outside'])
  assert.deepEqual(await travel.blame('a', 5), {
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
  assert.deepEqual(await who(travel, 'b', 3), ['older', 'first', 'third'])
  await travel.apply(await travel.planRewind({ position: 1 }))
  assert.deepEqual(await who(travel, 'a', 2), ['older', 'first'])
  await travel.redo()
  assert.deepEqual(await who(travel, 'b', 3), ['older', 'first', 'third'])
})

test('what is not in the record is said', async () => {
  using project = sampleProject({ old: '1\n', picture: 'a\0b' })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('gone', '1\n'))
  rmSync(join(project.root, 'gone'))
  assert.deepEqual(await travel.blame('old', 1), { kind: 'older' })
  assert.deepEqual(await travel.blame('old', 2), { kind: 'noSuchLine', lines: 1 })
  assert.deepEqual(await travel.blame('picture', 1), { kind: 'binary' })
  assert.deepEqual(await travel.blame('gone', 1), { kind: 'noSuchFile' })
  assert.deepEqual(await travel.blame('../home', 1), { kind: 'noSuchFile' })
})
