import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sessionFsContract } from '../../test/contracts/session-fs.ts'
import { folderProvider } from '../../test/support/provider.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import type { ClientCalls } from './client-calls.ts'
import { type ClientOptions } from './client-home.ts'
import { openClient } from './client.ts'
import type { SessionFs } from './session-fs.ts'

const posix = { conventions: 'posix', sessionStatePath: '/state' } as const
const windows = { conventions: 'windows', sessionStatePath: 'C:\\state' } as const

/** Between the file system and its owner: may refuse, delay or change what is said. */
type Between = (calls: ClientCalls) => ClientCalls

async function openAt(options: ClientOptions, between: Between = (calls) => calls) {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-client-'))
  return {
    folder,
    fs: openClient(between(folderProvider(folder, options)), options),
    other: openClient(folderProvider(folder, options), options),
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}

sessionFsContract('a client with text', () => openAt(posix))
sessionFsContract('a client with bytes', () => openAt({ ...posix, capabilities: { binary: true } }))
sessionFsContract('a client on Windows', () => openAt(windows))

const text = async (fs: SessionFs, path: string): Promise<string | undefined> => {
  const bytes = await fs.read(path)
  return bytes && decodeText(bytes)
}
const code = (expected: string) => (error: NodeJS.ErrnoException) => error.code === expected
const write = (fs: SessionFs, path: string, content: string) =>
  fs.writeAtomic(path, encodeText(content), { durable: true })

describe('a client that carries text alone', () => {
  it('is given other bytes as base64 under a name with a suffix', async () => {
    const { fs, folder, dispose } = await openAt(posix)
    const bytes = Uint8Array.of(0xff, 0x00, 0x80, 0x41)
    await fs.writeAtomic('a/blob', bytes, { durable: true })
    assert.deepEqual(await readdir(join(folder, 'a')), ['blob.reprise-b64'])
    assert.deepEqual(await fs.list('a'), [{ name: 'blob', kind: 'file' }])
    assert.equal((await fs.stat('a/blob'))!.size, 4)
    await write(fs, 'a/blob', 'text now')
    assert.deepEqual(await readdir(join(folder, 'a')), ['blob'])
    const file = await fs.openAppend('a/blob')
    await file.write([Uint8Array.of(0xfe)], 8)
    await file.truncate(7)
    assert.deepEqual([await text(fs, 'a/blob'), await file.size()], ['text no', 7])
    await dispose()
  })

  it('has the old bytes or the new ones, wherever it goes away between the two names', async () => {
    const [plain, odd] = [encodeText('plain'), Uint8Array.of(0xff, 0x00)]
    for (const [before, after] of [
      [plain, odd],
      [odd, plain],
    ] as const) {
      for (let left = 0, isDone = false; !isDone; left += 1) {
        let calls = Infinity
        const { fs, dispose } = await openAt(posix, (call) => async (method, params) => {
          calls -= 1
          if (calls < 0) throw new Error('connection closed')
          return call(method, params)
        })
        await fs.writeAtomic('file', before, { durable: true })
        calls = left
        const outcome = await fs.writeAtomic('file', after, { durable: true }).then(
          () => 'acknowledged',
          () => 'failed',
        )
        isDone = outcome === 'acknowledged'
        calls = Infinity
        const found = Buffer.from((await fs.read('file'))!)
        const allowed = isDone ? [after] : [before, after]
        assert.ok(
          allowed.some((bytes) => found.equals(bytes)),
          `${outcome} after ${left} calls`,
        )
        await dispose()
      }
    }
  })

  it('is not written by a writer whose file was replaced while it waited', async () => {
    const { fs, dispose } = await openAt(posix)
    await write(fs, 'log', 'one')
    const old = await fs.openAppend('log')
    await Promise.all([fs.copy('log', 'log'), old.write([encodeText('late')], 3)])
    assert.equal(await text(fs, 'log'), 'one')
    await dispose()
  })
})

describe('a client that cannot be relied on', () => {
  it('that goes away in the middle of a write leaves what it acknowledged', async () => {
    let failing = ''
    let reason = new Error('connection closed')
    const { fs, dispose } = await openAt(posix, (calls) => async (method, params) => {
      if (method === failing) throw reason
      return calls(method, params)
    })
    const log = await fs.openAppend('log')
    await log.write([encodeText('one\n')], 0)
    for (const method of ['appendFile', 'stat']) {
      failing = method
      await assert.rejects(log.write([encodeText('two\n')], 4), code('EIO'))
    }
    for (const method of ['writeFile', 'rename']) {
      failing = method
      await assert.rejects(write(fs, 'log', 'all new'), code('EIO'))
    }
    reason = Object.assign(new Error('gone for good'), { code: 'ENOTCONN' })
    await assert.rejects(write(fs, 'log', 'all new'), code('ENOTCONN'))
    failing = ''
    assert.equal(await text(fs, 'log'), 'one\n')
    assert.deepEqual(await fs.list('later'), [])
    await dispose()
  })

  it('that is slow gets a limit, and nothing is asked before its late deed is done', async () => {
    const late = Promise.withResolvers<void>()
    const { fs, dispose } = await openAt(
      { ...posix, limitMs: 500 },
      (calls) => async (method, params) => {
        if (method === 'appendFile') await late.promise
        return calls(method, params)
      },
    )
    const log = await fs.openAppend('log')
    const keepAlive = setInterval(() => {}, 1000)
    await assert.rejects(log.write([encodeText('late')], 0), code('ETIMEDOUT'))
    await assert.rejects(log.truncate(0), code('ETIMEDOUT'))
    await assert.rejects(log.truncate(0), code('ETIMEDOUT'))
    late.resolve()
    do await new Promise(setImmediate)
    while ((await fs.read('log').catch(() => undefined)) === undefined)
    await log.truncate(0)
    assert.equal(await text(fs, 'log'), '')
    clearInterval(keepAlive)
    await dispose()
  })

  it('that says it wrote and did not is found out', async () => {
    const { fs, dispose } = await openAt(
      posix,
      (calls) => async (method, params) =>
        method === 'appendFile' ? undefined : calls(method, params),
    )
    const log = await fs.openAppend('log')
    await assert.rejects(log.write([encodeText('x')], 0), /holds 0 bytes where 1 were written/)
    await dispose()
  })

  const lies: readonly (readonly [string, string, unknown, (fs: SessionFs) => Promise<unknown>])[] =
    [
      ['a name that is a path', 'readdirWithTypes', entry('../x'), (fs) => fs.list('folder')],
      ['a name with a backslash', 'readdirWithTypes', entry('a\\b'), (fs) => fs.list('folder')],
      ['an empty name', 'readdirWithTypes', entry(''), (fs) => fs.list('folder')],
      ['entries that are none', 'readdirWithTypes', { entries: 7 }, (fs) => fs.list('folder')],
      ['a size below zero', 'stat', stat({ size: -1 }), (fs) => fs.stat('folder')],
      ['a size that is no number', 'stat', stat({ size: '7' }), (fs) => fs.stat('folder')],
      ['two kinds', 'stat', stat({ isFile: true }), (fs) => fs.stat('folder')],
      ['a time that is none', 'stat', stat({ mtime: 'soon' }), (fs) => fs.stat('folder')],
      ['content that is no text', 'readFile', { content: 7 }, (fs) => fs.read('file')],
      ['nothing', 'readFile', null, (fs) => fs.read('file')],
    ]
  for (const [what, liar, answer, deed] of lies) {
    it(`that answers with ${what} is not believed`, async () => {
      const { fs, dispose } = await openAt(
        posix,
        (calls) => async (method, params) =>
          liar === method && isLying ? answer : calls(method, params),
      )
      let isLying = false
      await fs.mkdir('folder')
      await write(fs, 'file', 'x')
      isLying = true
      await assert.rejects(deed(fs), code('EPROTO'))
      await dispose()
    })
  }
})

function entry(name: string) {
  return { entries: [{ name, type: 'file' }] }
}

function stat(given: Readonly<Record<string, unknown>>) {
  const time = new Date().toISOString()
  return { isFile: false, isDirectory: true, size: 0, mtime: time, birthtime: time, ...given }
}
