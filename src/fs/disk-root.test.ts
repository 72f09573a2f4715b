import assert from 'node:assert/strict'
import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDisk } from './disk.ts'
import { identityOf, openRoot, syncWayDown } from './disk-root.ts'

describe('names that survive a power cut', () => {
  const inHome = (sentence: string, body: (home: string) => Promise<void>) =>
    it(sentence, async () => {
      const home = mkdtempSync(join(tmpdir(), 'reprise-root-'))
      try {
        await body(home)
      } finally {
        rmSync(home, { recursive: true })
      }
    })
  const identity = (folder: string) => identityOf(statSync(folder))

  inHome('are known up to the home once they were synced', async (home) => {
    const root = openRoot(home)
    mkdirSync(join(home, 'a', 'b'), { recursive: true })
    await syncWayDown(root, join(home, 'a', 'b', 'file'))
    const folders = [join(home, 'a', 'b'), join(home, 'a'), home]
    assert.deepEqual(
      [...root.durable],
      folders.map((folder) => [folder, identity(folder)]),
    )
  })

  inHome('are synced anew for a folder that was put in the place of another', async (home) => {
    const root = openRoot(home)
    const folder = join(home, 'a')
    mkdirSync(folder)
    await syncWayDown(root, join(folder, 'file'))
    renameSync(folder, join(home, 'b'))
    mkdirSync(folder)
    assert.notEqual(root.durable.get(folder), identity(folder))
    await syncWayDown(root, join(folder, 'file'))
    assert.equal(root.durable.get(folder), identity(folder))
  })

  inHome('are not known when a folder above could not be synced', async (home) => {
    const root = openRoot(join(home, 'missing'))
    await assert.rejects(syncWayDown(root, join(home, 'missing', 'a', 'file')), { code: 'ENOENT' })
    assert.deepEqual([...root.durable], [])
  })
})

describe('a folder of another user', () => {
  const theirs = mkdtempSync(join(tmpdir(), 'reprise-theirs-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(theirs, 12345, 12345)
  // Whoever is not root cannot give a folder away, and has the system's own beside it.
  const folder = isRoot ? theirs : tmpdir()

  it('is no home; a file of the moment may stand there', async () => {
    try {
      assert.throws(() => openDisk(folder), { code: 'EACCES' })
      const file = `reprise-${crypto.randomUUID()}`
      const disk = openDisk(folder, { ofAnyone: true })
      await disk.writeAtomic(file, new Uint8Array([1]), { durable: false })
      assert.deepEqual(await disk.read(file), new Uint8Array([1]))
      await disk.remove(file)
    } finally {
      rmSync(theirs, { recursive: true })
    }
  })
})
