import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchesOf } from './tree.ts'

const link = (id: string, parent: string | undefined) => ({ id, parent, speaks: true })

test('what a rewind left is a branch of its own, with what it shares', () => {
  const { main, left } = branchesOf([link('a', undefined), link('b', 'a'), link('c', 'a')], 'c')
  assert.deepEqual([...main], ['c', 'a'])
  assert.deepEqual(
    left.map(({ branch, told }) => [branch, ...told]),
    [['b', 'b', 'a']],
  )
})

test('records that name themselves or each other as the one before are not lost', () => {
  const links = [link('self', 'self'), link('a', 'b'), link('b', 'a'), link('end', undefined)]
  const { main, left } = branchesOf(links, undefined)
  assert.deepEqual([...main], ['end'])
  assert.deepEqual(
    left.map(({ branch, told }) => [branch, ...told]),
    [
      ['b', 'b', 'a'],
      ['self', 'self'],
    ],
  )
})
