import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionId } from '../format/ids.ts'
import { byRelevance, relevance } from './relevance.ts'

const id = (name: string) => name as SessionId

const here = {
  repository: 'o/r',
  repositoryKey: 'k',
  branch: 'main',
  gitRoot: '/w/r',
  cwd: '/w/r/sub',
}

describe('relevance', () => {
  const cases = [
    ['same repository and branch', { repositoryKey: 'k', branch: 'main' }, 'This branch', 4],
    [
      'another worktree of it',
      { repositoryKey: 'k', branch: 'dev', gitRoot: '/x' },
      'This repository',
      3,
    ],
    ['a name without a key', { repository: 'O/R', branch: 'main' }, 'This branch', 4],
    [
      'an equal branch elsewhere',
      { repositoryKey: 'z', repository: 'o/r', branch: 'main' },
      'Other sessions',
      0,
    ],
    ['the git root', { gitRoot: '/w/r/' }, 'This git root', 2],
    ['the directory', { cwd: '/w/r/sub' }, 'This directory', 1],
    ['nothing known', {}, 'Other sessions', 0],
  ] as const
  for (const [what, session, bucket, score] of cases) {
    it(`of ${what} is "${bucket}"`, () =>
      assert.deepEqual(relevance(session, here), { bucket, score }))
  }

  it('does not take unknown for equal', () => {
    assert.equal(relevance({}, {}).bucket, 'Other sessions')
    assert.equal(
      relevance({ repositoryKey: 'k' }, { repositoryKey: 'k' }).bucket,
      'This repository',
    )
    assert.equal(relevance({ cwd: '' }, { cwd: '' }).bucket, 'Other sessions')
  })

  it('keeps the root of a file system apart from nothing', () => {
    assert.equal(relevance({ cwd: '/' }, { cwd: '/' }).bucket, 'This directory')
  })
})

describe('the session to continue', () => {
  const sessions = [
    { id: id('a'), modifiedAt: '2025-03-01', cwd: '/elsewhere' },
    { id: id('b'), modifiedAt: '2025-01-01', repositoryKey: 'k', branch: 'main' },
    { id: id('c'), modifiedAt: '2025-02-01', repositoryKey: 'k', branch: 'main' },
    { id: id('d'), modifiedAt: '2025-03-01', repositoryKey: 'k', branch: 'dev' },
  ]
  it('is the newest of the nearest', () => {
    assert.deepEqual(
      byRelevance(sessions, here).map(({ id }) => id),
      ['c', 'b', 'd', 'a'],
    )
  })
  it('is the newest of all where none is near, and none when there is none', () => {
    assert.equal(byRelevance(sessions.slice(0, 2), { cwd: '/new' })[0]?.id, 'a')
    assert.deepEqual(byRelevance([], here), [])
  })
})
