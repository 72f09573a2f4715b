import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldsCase } from './folds-case.ts'

/** A disk with these paths, of which the one kind knows no capitals. */
const disk = (paths: readonly string[], isFolding: boolean) => async (path: string) => {
  const fold = (text: string) => (isFolding ? text.toLowerCase() : text)
  const at = paths.findIndex((each) => fold(each) === fold(path))
  return at === -1 ? undefined : { dev: 1n, ino: BigInt(at) }
}

test('a disk is asked by the nearest name that is there and has a letter', async () => {
  const paths = ['/Users', '/Users/ann', '/Users/ann/1']
  for (const isFolding of [true, false])
    assert.equal(await foldsCase('/Users/ann/1/2/new.txt', disk(paths, isFolding)), isFolding)
  assert.equal(await foldsCase('/1/2', disk([], true)), false)
})

test('two files that differ in capitals only are two files', async () => {
  assert.equal(await foldsCase('/a/Env', disk(['/a/Env', '/a/eNV'], false)), false)
})
