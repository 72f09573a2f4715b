import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { sessionFsContract } from '../../test/contracts/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { openDisk } from './disk.ts'

const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'reprise-disk-'))

sessionFsContract('a disk', async () => {
  const folder = newFolder()
  const dispose = async (): Promise<void> => rmSync(folder, { recursive: true })
  const open = () => openDisk(path.join(folder, 'home'), { pollMs: 20 })
  return { fs: open(), other: open(), dispose }
})

const isRoot = process.getuid?.() === 0
const hello = encodeText('hello')

describe('a disk keeps others out', () => {
  const inFolder = (
    sentence: string,
    body: (folder: string) => Promise<void>,
    skip: string | false = false,
  ): void => {
    it(sentence, { skip }, async () => {
      const folder = newFolder()
      try {
        await body(folder)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }

  for (const umask of [0o000, 0o022, 0o777]) {
    inFolder(`files are 0600 and folders 0700 under umask ${umask.toString(8)}`, async (folder) => {
      const before = process.umask(umask)
      try {
        const fs = openDisk(path.join(folder, 'home'))
        await (await fs.openAppend('a/b/appended')).close()
        await fs.writeAtomic('a/c/written', hello, { durable: true })
        await fs.createExclusive('a/d/created', hello)
        await fs.mkdir('a/e/made')
        await fs.copy('a/c/written', 'a/f/copied')
        await fs.rename('a/c/written', 'a/g/moved')
      } finally {
        process.umask(before)
      }
      const wrong = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
        (entry) => {
          const mode = lstatSync(path.join(entry.parentPath, entry.name)).mode & 0o777
          return mode !== (entry.isDirectory() ? 0o700 : 0o600)
        },
      )
      assert.deepEqual(
        wrong.map(({ name }) => name),
        [],
      )
    })
  }

  inFolder('a copied file is 0600 whatever its source was', async (folder) => {
    writeFileSync(path.join(folder, 'loose'), 'x', { mode: 0o777 })
    chmodSync(path.join(folder, 'loose'), 0o777)
    await openDisk(folder).copy('loose', 'tight')
    assert.equal(lstatSync(path.join(folder, 'tight')).mode & 0o777, 0o600)
  })

  inFolder(
    'a file that others could read is closed to them when it is opened for appending',
    async (folder) => {
      writeFileSync(path.join(folder, 'log'), 'x')
      chmodSync(path.join(folder, 'log'), 0o644)
      await (await openDisk(folder).openAppend('log')).close()
      assert.equal(lstatSync(path.join(folder, 'log')).mode & 0o777, 0o600)
    },
  )

  inFolder('a folder that was there keeps its mode', async (folder) => {
    mkdirSync(path.join(folder, 'shared'))
    chmodSync(path.join(folder, 'shared'), 0o755)
    const fs = openDisk(folder)
    await fs.mkdir('shared')
    await fs.writeAtomic('shared/file', hello, { durable: false })
    assert.equal(lstatSync(path.join(folder, 'shared')).mode & 0o777, 0o755)
  })

  inFolder(
    'a link in place of a file is neither read nor written, and what it points to stays',
    async (folder) => {
      const outside = path.join(folder, 'outside')
      mkdirSync(path.join(folder, 'home'))
      writeFileSync(outside, 'private')
      symlinkSync(outside, path.join(folder, 'home/link'))
      symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'home/dangling'))
      const fs = openDisk(path.join(folder, 'home'))
      await fs.writeAtomic('file', hello, { durable: false })
      for (const link of ['link', 'dangling']) {
        const refused = { code: 'ELOOP', message: /symbolic link/ }
        await assert.rejects(fs.openAppend(link), refused)
        await assert.rejects(fs.writeAtomic(link, hello, { durable: false }), refused)
        await assert.rejects(fs.createExclusive(link, hello), refused)
        await assert.rejects(fs.copy('file', link), refused)
        await assert.rejects(fs.copy(link, 'to'), refused)
        await assert.rejects(fs.rename('file', link), refused)
        await assert.rejects(fs.read(link), refused)
        await assert.rejects(fs.openRead(link), refused)
        assert.equal((await fs.stat(link))?.kind, 'other')
      }
      await fs.remove('link')
      assert.deepEqual(
        [readFileSync(outside, 'utf8'), readdirSync(folder).sort()],
        ['private', ['home', 'outside']],
      )
    },
  )

  inFolder('a folder that is a link out of the home is refused by every method', async (folder) => {
    mkdirSync(path.join(folder, 'home'))
    mkdirSync(path.join(folder, 'outside'))
    writeFileSync(path.join(folder, 'outside/file'), 'private')
    symlinkSync('../outside', path.join(folder, 'home/out'))
    const fs = openDisk(path.join(folder, 'home'))
    const refused = { code: 'ELOOP' }
    await assert.rejects(fs.read('out/file'), refused)
    await assert.rejects(fs.stat('out/file'), refused)
    await assert.rejects(fs.list('out'), refused)
    await assert.rejects(fs.openAppend('out/new'), refused)
    await assert.rejects(fs.writeAtomic('out/file', hello, { durable: false }), refused)
    await assert.rejects(fs.createExclusive('out/new', hello), refused)
    await assert.rejects(fs.mkdir('out/new'), refused)
    await assert.rejects(fs.remove('out/file'), refused)
    await assert.rejects(fs.rename('out/file', 'file'), refused)
    await assert.rejects(fs.copy('out/file', 'file'), refused)
    assert.deepEqual(readdirSync(path.join(folder, 'outside')), ['file'])
    await fs.remove('out')
    assert.equal(readFileSync(path.join(folder, 'outside/file'), 'utf8'), 'private')
  })

  inFolder(
    'a link from one folder of the home to another is followed, and shares its lock key',
    async (folder) => {
      mkdirSync(path.join(folder, 'real'))
      symlinkSync('real', path.join(folder, 'alias'))
      const fs = openDisk(folder)
      await fs.writeAtomic('alias/file', hello, { durable: true })
      assert.deepEqual(await fs.read('real/file'), await fs.read('alias/file'))
      assert.equal(fs.lockKey('alias/file'), fs.lockKey('real/file'))
      assert.equal(fs.lockKey('alias/new'), fs.lockKey('real/new'))
    },
  )

  inFolder('removing a folder removes the links in it, not what they point to', async (folder) => {
    mkdirSync(path.join(folder, 'home/session'), { recursive: true })
    mkdirSync(path.join(folder, 'outside'))
    writeFileSync(path.join(folder, 'outside/file'), 'private')
    symlinkSync(path.join(folder, 'outside'), path.join(folder, 'home/session/out'))
    await openDisk(path.join(folder, 'home')).remove('session')
    assert.deepEqual(readdirSync(path.join(folder, 'outside')), ['file'])
  })

  inFolder(
    'a pipe in place of a file is refused at once',
    async (folder) => {
      execFileSync('mkfifo', [path.join(folder, 'pipe')])
      const fs = openDisk(folder)
      await assert.rejects(fs.read('pipe'), { code: 'EINVAL' })
      await assert.rejects(fs.openAppend('pipe'), { code: 'ENXIO' })
      await assert.rejects(fs.copy('pipe', 'to'), { code: 'EINVAL' })
    },
    process.platform === 'win32' && 'there are no named pipes among files',
  )

  inFolder(
    'an atomic write onto a second name of a file leaves the first one alone',
    async (folder) => {
      writeFileSync(path.join(folder, 'first'), 'kept')
      linkSync(path.join(folder, 'first'), path.join(folder, 'second'))
      await openDisk(folder).writeAtomic('second', hello, { durable: false })
      assert.equal(readFileSync(path.join(folder, 'first'), 'utf8'), 'kept')
    },
  )

  inFolder(
    'a home of another user is refused when it is opened',
    async (folder) => {
      chownSync(folder, 65534, 65534)
      assert.throws(() => openDisk(folder), { code: 'EACCES', message: /belongs to user 65534/ })
    },
    !isRoot && 'only root can give a folder away',
  )

  inFolder(
    'a home that another user made after it was opened is refused by the first write',
    async (folder) => {
      const fs = openDisk(path.join(folder, 'home'))
      mkdirSync(path.join(folder, 'home'))
      chownSync(path.join(folder, 'home'), 65534, 65534)
      await assert.rejects(fs.createExclusive('file', hello), { code: 'EACCES' })
    },
    !isRoot && 'only root can give a folder away',
  )
})

describe('a disk that fails', () => {
  const canMount = isRoot && process.platform === 'linux' && tryMount()
  const skip = !canMount && 'needs root and the right to mount a tmpfs'

  it(
    'a full disk is an error with its reason, the file can be cut back, and goes on after room is made',
    { skip },
    async () => {
      await onSmallDisk('64k', async (folder) => {
        const fs = openDisk(folder)
        await fs.writeAtomic('ballast', new Uint8Array(20_000), { durable: false })
        const file = await fs.openAppend('log')
        await file.write([encodeText('good')], 0)
        await assert.rejects(file.write([new Uint8Array(100_000)], 4), { code: 'ENOSPC' })
        await file.truncate(4)
        assert.deepEqual(await fs.read('log'), new Uint8Array(encodeText('good')))
        await fs.remove('ballast')
        await file.write([new Uint8Array(20_000)], 4)
        await file.sync()
        assert.equal(await file.size(), 20_004)
        await file.close()
      })
    },
  )

  it('a write that did not fit leaves the old file and no remains', { skip }, async () => {
    await onSmallDisk('64k', async (folder) => {
      const fs = openDisk(folder)
      await fs.writeAtomic('file', hello, { durable: false })
      const large = new Uint8Array(100_000)
      await assert.rejects(fs.writeAtomic('file', large, { durable: true }), { code: 'ENOSPC' })
      await assert.rejects(fs.createExclusive('claim', large), { code: 'ENOSPC' })
      assert.deepEqual(await fs.read('file'), new Uint8Array(hello))
      assert.deepEqual(readdirSync(folder), ['file'])
    })
  })

  async function onSmallDisk(size: string, body: (folder: string) => Promise<void>): Promise<void> {
    const folder = newFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
    try {
      await body(folder)
    } finally {
      // Lazily: a test that failed may have left a file open.
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    }
  }

  function tryMount(): boolean {
    const folder = newFolder()
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' })
      execFileSync('umount', [folder], { stdio: 'ignore' })
      return true
    } catch {
      return false
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
})
