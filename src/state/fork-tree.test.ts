import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forkTree } from './fork-tree.ts'

const session = (id: string, forkedFrom?: string, createdAt = id) => ({
  id,
  createdAt,
  ...(forkedFrom !== undefined && { forkedFrom }),
})

const drawn = (sessions: readonly ReturnType<typeof session>[], id: string) =>
  forkTree(sessions, id).map(({ session: { id: each }, depth }) => `${'-'.repeat(depth)}${each}`)

test('a fork is told below what it was forked from, wherever one asks', () => {
  const all = [session('d', 'b'), session('b', 'a'), session('a'), session('c', 'a'), session('z')]
  for (const id of ['a', 'b', 'c', 'd']) assert.deepEqual(drawn(all, id), ['a', '-b', '--d', '-c'])
  assert.deepEqual(drawn(all, 'z'), ['z'])
  assert.deepEqual(drawn(all, 'nobody'), [])
})

test('a source that is gone makes its fork a root, and a circle ends', () => {
  assert.deepEqual(drawn([session('b', 'gone'), session('c', 'b')], 'c'), ['b', '-c'])
  assert.equal(drawn([session('a', 'b'), session('b', 'a')], 'a').length, 2)
})
