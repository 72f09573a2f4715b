import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionId } from '../format/ids.ts'
import { resolveSession } from './resolve.ts'

const id = (head: string) => `${head}-0000-4000-8000-000000000000` as SessionId
const [first, second, third] = [id('abcd1111'), id('abcd2222'), id('0fab3333')]
const catalogue = [
  { id: first, name: 'Parser' },
  { id: second, name: 'parser ' },
  { id: third, name: 'Caf\u00e9 work' },
]
const resolved = (value: string) => resolveSession(value, catalogue)

describe('what a person means by a session', () => {
  it('is first its id, in any case', () => {
    assert.deepEqual(resolved(first.toUpperCase()), { kind: 'found', id: first, by: 'id' })
  })

  it('is then the beginning of an id, of at least four characters', () => {
    assert.deepEqual(resolved('0fab'), { kind: 'found', id: third, by: 'prefix' })
    assert.deepEqual(resolved('abcd1'), { kind: 'found', id: first, by: 'prefix' })
    assert.deepEqual(resolved('abcd'), { kind: 'ambiguous', ids: [first, second], by: 'prefix' })
    assert.equal(resolved('0fa').kind, 'none')
  })

  it('is then a whole name, whatever its case, blanks and composition', () => {
    assert.deepEqual(resolved(' cafe\u0301 WORK'), { kind: 'found', id: third, by: 'name' })
    assert.deepEqual(resolved('PARSER'), { kind: 'ambiguous', ids: [first, second], by: 'name' })
  })

  it('is a new session when it is a UUID that nobody has', () => {
    assert.deepEqual(resolved(id('ffff0000')), { kind: 'seed', id: id('ffff0000') })
  })

  it('is nothing otherwise, with the names that may have been meant', () => {
    assert.deepEqual(resolved('parsr'), { kind: 'none', suggestions: ['Parser', 'parser '] })
    assert.deepEqual(resolved('work'), { kind: 'none', suggestions: ['Caf\u00e9 work'] })
    assert.deepEqual(resolved('unrelated thing'), { kind: 'none', suggestions: [] })
    assert.deepEqual(resolved('  '), { kind: 'none', suggestions: [] })
  })

  it('is never part of a path', () => {
    assert.equal(resolved('../abcd1111').kind, 'none')
  })
})
