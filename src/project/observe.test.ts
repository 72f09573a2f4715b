import assert from 'node:assert/strict'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { observe } from './observe.ts'
import { sampleProject } from '../../test/support/sample-project.ts'
import { lookAt, readInside } from './beneath-root.ts'

const nothing = { maxFileBytes: 1000, keep: async () => undefined }

test('a stamp that a later write could share is not trusted, an older one is', async () => {
  using project = sampleProject({ a: '1\n' })
  const now = await observe(project.root, 'a', nothing)
  assert.equal(now?.isYoung, true)
  const state = { type: 'file', sha256: 'f'.repeat(64), size: 2, mode: 0o644 } as const
  const young = { ...now!, state, isYoung: true }
  assert.deepEqual(
    (await observe(project.root, 'a', { ...nothing, prior: young }))?.state,
    now?.state,
  )
  const old = { ...young, isYoung: false }
  assert.equal(await observe(project.root, 'a', { ...nothing, prior: old }), old)
  const runtime = await observe(dirname(process.execPath), 'node', nothing)
  assert.deepEqual(runtime?.state, { type: 'unknown', reason: 'large' })
})

test('nothing is read or seen through a link, not even one inside the project', async () => {
  using project = sampleProject({ 'real/file': 'secret\n' })
  symlinkSync('real', join(project.root, 'linked'))
  symlinkSync('real/file', join(project.root, 'direct'))
  assert.equal(lookAt(project.root, 'linked/file'), undefined)
  assert.equal(await observe(project.root, 'linked/file', nothing), undefined)
  assert.equal(await readInside(project.root, 'linked/file', 1000), undefined)
  assert.equal(await readInside(project.root, 'direct', 1000), undefined)
  assert.deepEqual((await observe(project.root, 'direct', nothing))?.state, {
    type: 'link',
    target: 'real/file',
  })
  renameSync(join(project.root, 'real'), join(project.root, 'moved'))
  mkdirSync(join(project.root, 'real'))
  assert.equal(await observe(project.root, 'real/file', nothing), undefined)
})
