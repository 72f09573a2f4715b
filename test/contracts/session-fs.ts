/** What every place for bytes must do, whatever it is made of. An implementation is right when this passes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { decodeText, encodeText } from '../../src/lib/bytes.ts'
import { BadPath } from '../../src/lib/check-path.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'

export type OpenSessionFs = () => Promise<{
  readonly fs: SessionFs
  /** The same files as another process would have them. */
  readonly other: SessionFs
  dispose(): Promise<void>
}>

export function sessionFsContract(name: string, open: OpenSessionFs): void {
  const behaves: Behaves = (sentence, body) => {
    it(sentence, async () => {
      const { fs, other, dispose } = await open()
      try {
        await body(fs, other)
      } finally {
        await dispose()
      }
    })
  }
  describe(`${name} looks and reads`, () => looksAndReads(behaves))
  describe(`${name} appends at known positions`, () => appends(behaves))
  describe(`${name} changes in one step`, () => changesInOneStep(behaves))
  describe(`${name} moves, copies and removes`, () => moves(behaves))
  describe(`${name} watches`, () => watches(behaves))
  describe(`${name} keeps to its root`, () => keepsToItsRoot(behaves))
}

type Behaves = (sentence: string, body: (fs: SessionFs, other: SessionFs) => Promise<void>) => void

const at = { durable: false }
const write = (fs: SessionFs, path: string, text: string): Promise<void> =>
  fs.writeAtomic(path, encodeText(text), at)
const text = async (fs: SessionFs, path: string): Promise<string | undefined> => {
  const bytes = await fs.read(path)
  return bytes && decodeText(bytes)
}
const names = async (fs: SessionFs, path: string): Promise<string[]> =>
  (await fs.list(path)).map(({ name }) => name).sort()
const hasCode =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) =>
    codes.includes(error.code ?? '')

function looksAndReads(behaves: Behaves): void {
  behaves('a missing file is undefined, a missing folder is empty', async (fs) => {
    const paths = ['none', 'none/at/all']
    for (const path of paths) {
      assert.deepEqual(
        [await fs.stat(path), await fs.read(path), await fs.openRead(path), await fs.list(path)],
        [undefined, undefined, undefined, []],
      )
    }
    assert.deepEqual(await fs.statMany(paths), [undefined, undefined])
  })

  behaves('what is below a file is missing', async (fs) => {
    await write(fs, 'file', 'x')
    assert.deepEqual(
      [await fs.stat('file/inner'), await fs.read('file/inner'), await fs.openRead('file/inner')],
      [undefined, undefined, undefined],
    )
  })

  behaves('a file says its kind, size, time and identity', async (fs) => {
    const before = Date.now() - 5000
    await write(fs, 'a/file', 'twelve bytes')
    const stat = (await fs.stat('a/file'))!
    assert.deepEqual([stat.kind, stat.size], ['file', 12])
    assert.ok(stat.mtimeMs > before && stat.mtimeMs < Date.now() + 5000)
    assert.equal((await fs.stat('a/file'))!.identity, stat.identity)
    assert.equal((await fs.stat('a'))!.kind, 'folder')
  })

  behaves('many stats come in the order asked', async (fs) => {
    await write(fs, 'one', '1')
    await write(fs, 'three', '333')
    const sizes = (await fs.statMany(['three', 'two', 'one'])).map((stat) => stat?.size)
    assert.deepEqual(sizes, [3, undefined, 1])
  })

  behaves('many stats let the event loop go round', async (fs) => {
    let rounds = 0
    const ticking = (): void => {
      rounds += 1
      immediate = setImmediate(ticking)
    }
    let immediate = setImmediate(ticking)
    const paths = Array.from({ length: 2000 }, (_, index) => `none-${index}`)
    const stats = await fs.statMany(paths)
    clearImmediate(immediate)
    assert.equal(stats.length, 2000)
    if (fs.diskPath('a') !== undefined) assert.ok(rounds >= 3, `${rounds} rounds`)
  })

  behaves('a folder lists its entries with their kinds, and nothing deeper', async (fs) => {
    await write(fs, 'top/file', 'x')
    await write(fs, 'top/folder/inner', 'x')
    const entries = [...(await fs.list('top'))].sort((one, other) =>
      one.name.localeCompare(other.name),
    )
    assert.deepEqual(entries, [
      { name: 'file', kind: 'file' },
      { name: 'folder', kind: 'folder' },
    ])
  })

  behaves('a file is not listed and a folder is not read', async (fs) => {
    await write(fs, 'folder/file', 'x')
    await assert.rejects(fs.list('folder/file'), hasCode('ENOTDIR'))
    await assert.rejects(fs.read('folder'), hasCode('EISDIR'))
    await assert.rejects(fs.openRead('folder'), hasCode('EISDIR'))
    await assert.rejects(fs.openAppend('folder'), hasCode('EISDIR'))
    await assert.rejects(write(fs, 'folder', 'x'), hasCode('EISDIR'))
  })

  behaves('ranges are read from any position, short only at the end', async (fs) => {
    await write(fs, 'digits', '0123456789')
    const file = (await fs.openRead('digits'))!
    assert.equal(file.size, 10)
    assert.equal(file.identity, (await fs.stat('digits'))!.identity)
    const target = new Uint8Array(4)
    assert.equal(await file.read(target, 3), 4)
    assert.equal(decodeText(target), '3456')
    assert.equal(await file.read(target, 8), 2)
    assert.equal(decodeText(target.subarray(0, 2)), '89')
    assert.deepEqual([await file.read(target, 10), await file.read(target, 99)], [0, 0])
    assert.equal(await file.read(new Uint8Array(), 0), 0)
    await file.close()
    await file.close()
  })

  behaves('an open file keeps its bytes when its name is given to another', async (fs) => {
    await write(fs, 'file', 'old')
    const file = (await fs.openRead('file'))!
    await write(fs, 'file', 'new one')
    const target = new Uint8Array(8)
    const length = await file.read(target, 0)
    await file.close()
    assert.equal(decodeText(target.subarray(0, length)), 'old')
  })

  behaves('any bytes come back unchanged', async (fs) => {
    const bytes = Uint8Array.from({ length: 1024 }, (_, index) => index % 256)
    await fs.writeAtomic('binary', bytes, at)
    assert.deepEqual(new Uint8Array((await fs.read('binary'))!), bytes)
  })

  behaves('an empty file is a file', async (fs) => {
    await fs.writeAtomic('empty', new Uint8Array(), at)
    assert.deepEqual([await text(fs, 'empty'), (await fs.stat('empty'))!.size], ['', 0])
  })

  behaves('five megabytes are written and read, whole and in large ranges', async (fs) => {
    const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => (index * 31) % 251)
    await fs.writeAtomic('large', bytes, at)
    assert.ok(Buffer.from(bytes).equals((await fs.read('large'))!))
    const file = (await fs.openRead('large'))!
    const target = new Uint8Array(3 * 1024 * 1024)
    assert.equal(await file.read(target, 1_000_003), target.length)
    assert.equal(await file.read(target, 4 * 1024 * 1024), 1024 * 1024)
    await file.close()
    assert.ok(Buffer.from(target.subarray(0, 1024 * 1024)).equals(bytes.subarray(4 * 1024 * 1024)))
  })

  behaves('names are any Unicode', async (fs) => {
    const odd = [
      'übung.md',
      '日本語',
      '😀.txt',
      'a b',
      'quote\'"',
      'line\nbreak',
      '%2e%2e',
      '-rf',
      '*',
    ]
    for (const name of odd) await write(fs, `odd/${name}`, name)
    assert.deepEqual(await names(fs, 'odd'), [...odd].sort())
    for (const name of odd) assert.equal(await text(fs, `odd/${name}`), name)
  })

  behaves('a caller may change what it was given or gave', async (fs) => {
    const given = encodeText('stays')
    await fs.writeAtomic('file', given, at)
    given.fill(0)
    ;(await fs.read('file'))!.fill(0)
    assert.equal(await text(fs, 'file'), 'stays')
  })
}

function appends(behaves: Behaves): void {
  behaves('opening makes the file and its folders', async (fs) => {
    const file = await fs.openAppend('a/b/log')
    assert.deepEqual([await file.size(), await text(fs, 'a/b/log')], [0, ''])
    assert.equal(file.identity, (await fs.stat('a/b/log'))!.identity)
    await file.close()
    await file.close()
  })

  behaves('opening again keeps what is there', async (fs) => {
    await write(fs, 'log', 'kept')
    const file = await fs.openAppend('log')
    assert.equal(await file.size(), 4)
    await file.write([encodeText(' and more')], 4)
    await file.close()
    assert.equal(await text(fs, 'log'), 'kept and more')
  })

  behaves('many chunks are written in order as one', async (fs) => {
    const file = await fs.openAppend('log')
    const chunks = Array.from({ length: 3000 }, (_, index) => encodeText(`${index}\n`))
    await file.write([...chunks, new Uint8Array()], 0)
    await file.write([], 0)
    await file.close()
    assert.equal(await text(fs, 'log'), chunks.map(decodeText).join(''))
  })

  behaves('a position decides, not the end of the file', async (fs) => {
    const file = await fs.openAppend('log')
    await file.write([encodeText('aaaa')], 0)
    await file.write([encodeText('bb')], 1)
    await file.write([encodeText('c')], 6)
    await file.close()
    assert.equal(await text(fs, 'log'), 'abba\0\0c')
  })

  behaves('truncating cuts, and what is written after it stands there alone', async (fs) => {
    const file = await fs.openAppend('log')
    await file.write([encodeText('good torn')], 0)
    await file.truncate(4)
    assert.equal(await file.size(), 4)
    await file.write([encodeText('!')], 6)
    await file.sync()
    await file.close()
    assert.equal(await text(fs, 'log'), 'good\0\0!')
  })

  behaves('size tells what another writer did', async (fs) => {
    const one = await fs.openAppend('log')
    const other = await fs.openAppend('log')
    await other.write([encodeText('12345')], 0)
    assert.deepEqual([await one.size(), one.identity], [5, other.identity])
    await one.close()
    await other.close()
  })

  behaves('sync returns for new and old files, again and again', async (fs) => {
    const file = await fs.openAppend('x/y/z/log')
    for (let round = 0; round < 3; round += 1) {
      await file.write([encodeText('x')], round)
      await file.sync()
    }
    await file.close()
    assert.equal(await text(fs, 'x/y/z/log'), 'xxx')
  })

  behaves('a writer whose file was replaced writes into nothing', async (fs) => {
    await write(fs, 'log', 'one')
    const old = await fs.openAppend('log')
    await fs.copy('log', 'log')
    await old.write([encodeText('late')], 3)
    assert.equal(await text(fs, 'log'), 'one')
    assert.notEqual(old.identity, (await fs.stat('log'))!.identity)
    await old.close()
  })
}

function changesInOneStep(behaves: Behaves): void {
  behaves('an atomic write makes folders and replaces', async (fs) => {
    await fs.writeAtomic('a/b/file', encodeText('first, longer'), { durable: true })
    await fs.writeAtomic('a/b/file', encodeText('second'), { durable: true })
    assert.equal(await text(fs, 'a/b/file'), 'second')
    assert.deepEqual(await names(fs, 'a/b'), ['file'])
  })

  behaves('a replaced file has another identity', async (fs) => {
    const seen = new Set<string>()
    for (let round = 0; round < 20; round += 1) {
      await write(fs, 'file', 'same')
      seen.add((await fs.stat('file'))!.identity)
    }
    assert.equal(seen.size, 20)
  })

  behaves(
    'readers of an atomic write see the old bytes or the new, never a mixture',
    async (fs) => {
      const versions = ['a', 'b'].map((letter) => letter.repeat(200_000))
      await write(fs, 'file', versions[0]!)
      const writer = { isWriting: true }
      const seen = new Set<string>()
      const reader = (async () => {
        while (writer.isWriting) {
          const found = await text(fs, 'file')
          seen.add(versions.includes(found ?? '') ? 'whole' : `broken at ${found?.length}`)
          await new Promise(setImmediate)
        }
      })()
      for (let round = 0; round < 40; round += 1) await write(fs, 'file', versions[round % 2]!)
      writer.isWriting = false
      await reader
      assert.deepEqual([...seen], ['whole'])
    },
  )

  behaves('many atomic writes at once leave one of them and no remains', async (fs) => {
    const all = Array.from({ length: 20 }, (_, index) => `content ${index}`)
    await Promise.all(all.map((content) => write(fs, 'folder/file', content)))
    assert.ok(all.includes((await text(fs, 'folder/file'))!))
    assert.deepEqual(await names(fs, 'folder'), ['file'])
  })

  behaves('an exclusive file is created once, with its content', async (fs) => {
    assert.equal(await fs.createExclusive('a/claim', encodeText('mine')), true)
    assert.equal(await fs.createExclusive('a/claim', encodeText('yours')), false)
    assert.equal(await text(fs, 'a/claim'), 'mine')
    assert.deepEqual(await names(fs, 'a'), ['claim'])
  })

  behaves('of twenty that race for an exclusive file exactly one succeeds', async (fs) => {
    const racers = Array.from({ length: 20 }, (_, index) => `racer ${index}`)
    const results = await Promise.all(
      racers.map((racer) => fs.createExclusive('a/claim', encodeText(racer))),
    )
    assert.equal(results.filter(Boolean).length, 1)
    assert.equal(await text(fs, 'a/claim'), racers[results.indexOf(true)])
    assert.deepEqual(await names(fs, 'a'), ['claim'])
  })

  behaves(
    'a folder stands in the way of an exclusive file, and a file in the way of a folder',
    async (fs) => {
      await fs.mkdir('folder')
      assert.equal(await fs.createExclusive('folder', new Uint8Array()), false)
      await write(fs, 'file', 'x')
      await assert.rejects(fs.mkdir('file'), hasCode('ENOTDIR', 'EEXIST'))
      await assert.rejects(fs.mkdir('file/inner'), hasCode('ENOTDIR'))
      await assert.rejects(write(fs, 'file/inner', 'x'), hasCode('ENOTDIR'))
      await assert.rejects(fs.openAppend('file/inner'), hasCode('ENOTDIR'))
      await assert.rejects(fs.createExclusive('file/inner', new Uint8Array()), hasCode('ENOTDIR'))
    },
  )

  behaves('folders are made with their parents, and again without complaint', async (fs) => {
    await fs.mkdir('a/b/c')
    await fs.mkdir('a/b/c')
    assert.deepEqual([await names(fs, 'a'), (await fs.stat('a/b/c'))!.kind], [['b'], 'folder'])
  })
}

function moves(behaves: Behaves): void {
  behaves('a file moves with its bytes and identity, into a new folder', async (fs) => {
    await write(fs, 'from/file', 'bytes')
    const { identity } = (await fs.stat('from/file'))!
    await fs.rename('from/file', 'to/new/name')
    assert.deepEqual(
      [
        await text(fs, 'to/new/name'),
        (await fs.stat('to/new/name'))!.identity,
        await names(fs, 'from'),
      ],
      ['bytes', identity, []],
    )
  })

  behaves('a folder moves with all that is in it', async (fs) => {
    await write(fs, 'from/a/file', 'bytes')
    await fs.rename('from', 'to/there')
    assert.deepEqual(
      [await text(fs, 'to/there/a/file'), await fs.stat('from')],
      ['bytes', undefined],
    )
  })

  behaves('nothing moves onto what exists', async (fs) => {
    await write(fs, 'one', '1')
    await write(fs, 'two', '2')
    await fs.mkdir('empty')
    await fs.mkdir('other')
    await assert.rejects(fs.rename('one', 'two'), hasCode('EEXIST'))
    await assert.rejects(fs.rename('one', 'empty'), hasCode('EEXIST'))
    await assert.rejects(fs.rename('other', 'empty'), hasCode('EEXIST'))
    await assert.rejects(fs.rename('other', 'two'), hasCode('EEXIST'))
    assert.deepEqual([await text(fs, 'one'), await text(fs, 'two')], ['1', '2'])
  })

  behaves('what is missing cannot be moved or copied', async (fs) => {
    await assert.rejects(fs.rename('none', 'to'), hasCode('ENOENT'))
    await assert.rejects(fs.copy('none', 'to'), hasCode('ENOENT'))
    assert.equal(await fs.stat('to'), undefined)
  })

  behaves('a folder does not move into itself', async (fs) => {
    await write(fs, 'folder/file', 'x')
    await assert.rejects(fs.rename('folder', 'folder/inner'), hasCode('EINVAL'))
    assert.equal(await text(fs, 'folder/file'), 'x')
  })

  behaves('a copy is another file with the same bytes', async (fs) => {
    await write(fs, 'from', 'bytes')
    await fs.copy('from', 'to/here')
    const file = await fs.openAppend('to/here')
    await file.write([encodeText('B')], 0)
    await file.close()
    assert.deepEqual([await text(fs, 'from'), await text(fs, 'to/here')], ['bytes', 'Bytes'])
  })

  behaves(
    'a shared file is there under both names, and under one when the other goes',
    async (fs) => {
      await write(fs, 'a/from', 'text')
      await fs.share('a/from', 'b/to')
      assert.deepEqual(await text(fs, 'b/to'), 'text')
      await assert.rejects(fs.share('a/from', 'b/to'), hasCode('EEXIST'))
      await fs.remove('a')
      assert.deepEqual(await text(fs, 'b/to'), 'text')
      await assert.rejects(fs.share('none', 'to'), hasCode('ENOENT'))
    },
  )

  behaves('a copy replaces, and leaves no remains', async (fs) => {
    await write(fs, 'a/from', 'new')
    await write(fs, 'a/to', 'old and longer')
    await fs.copy('a/from', 'a/to')
    assert.deepEqual([await text(fs, 'a/to'), await names(fs, 'a')], ['new', ['from', 'to']])
  })

  behaves('a file copied onto itself is a new file with the same bytes', async (fs) => {
    await write(fs, 'a/log', 'bytes')
    const { identity } = (await fs.stat('a/log'))!
    await fs.copy('a/log', 'a/log')
    assert.notEqual((await fs.stat('a/log'))!.identity, identity)
    assert.deepEqual([await text(fs, 'a/log'), await names(fs, 'a')], ['bytes', ['log']])
  })

  behaves('a folder is not copied', async (fs) => {
    await fs.mkdir('folder')
    await assert.rejects(fs.copy('folder', 'to'), hasCode('EINVAL'))
  })

  behaves('removing takes a file, or a whole folder, or nothing', async (fs) => {
    await write(fs, 'a/b/c/file', 'x')
    await write(fs, 'a/file', 'x')
    await fs.remove('a/file')
    await fs.remove('a/b')
    await fs.remove('a/none')
    await fs.remove('none/at/all')
    assert.deepEqual(await names(fs, 'a'), [])
  })

  behaves('the same file has the same lock key, another file another', async (fs) => {
    await write(fs, 'a/file', 'x')
    assert.equal(fs.lockKey('a/file'), fs.lockKey('a/file'))
    const keys = ['a/file', 'a/other', 'b/file', 'a'].map((path) => fs.lockKey(path))
    assert.equal(new Set(keys).size, 4)
    assert.ok(fs.nativePath('a/file').endsWith(fs.conventions === 'windows' ? 'a\\file' : 'a/file'))
  })

  behaves('another process finds the same file exactly where it is shared', async (fs, other) => {
    await write(fs, 'a/file', 'x')
    assert.equal(other.lockKey('a/file') === fs.lockKey('a/file'), fs.isShared)
    if (fs.isShared) assert.equal(await text(other, 'a/file'), 'x')
  })

  behaves('a path on the disk is where another program finds the bytes', async (fs) => {
    await write(fs, 'a/file', 'x')
    const path = fs.diskPath('a/file')
    if (path !== undefined) assert.equal(readFileSync(path, 'utf8'), 'x')
  })
}

/** No place for bytes tells of changes more often. */
const SHORTEST_PACE_MS = 5

function watches(behaves: Behaves): void {
  /** Resolves at the first call after the change; a change that is not told runs into the test's end. */
  const toldBy = async (
    fs: SessionFs,
    folder: string,
    change: () => Promise<void>,
  ): Promise<void> => {
    const keepAlive = setInterval(() => {}, 1000)
    const told = Promise.withResolvers<void>()
    const watch = fs.watch(folder, told.resolve)
    await change()
    await told.promise
    watch[Symbol.dispose]()
    clearInterval(keepAlive)
  }

  behaves('a new file is told', async (fs) => {
    await fs.mkdir('folder')
    await toldBy(fs, 'folder', () => write(fs, 'folder/file', 'x'))
  })

  behaves('appended bytes are told', async (fs) => {
    const file = await fs.openAppend('folder/log')
    await toldBy(fs, 'folder', () => file.write([encodeText('x')], 0))
    await file.close()
  })

  behaves('a removed file is told', async (fs) => {
    await write(fs, 'folder/file', 'x')
    await toldBy(fs, 'folder', () => fs.remove('folder/file'))
  })

  behaves('a folder that does not exist yet can be watched', async (fs) => {
    await toldBy(fs, 'later', () => write(fs, 'later/file', 'x'))
  })

  behaves('nothing is told after the watch has ended', async (fs) => {
    await fs.mkdir('folder')
    let calls = 0
    const watch = fs.watch('folder', () => (calls += 1))
    await write(fs, 'folder/file', 'x')
    watch[Symbol.dispose]()
    const before = calls
    await toldBy(fs, 'folder', () => write(fs, 'folder/other', 'x'))
    assert.equal(calls, before)
  })

  behaves('a burst is told in few calls', async (fs) => {
    const file = await fs.openAppend('folder/log')
    let calls = 0
    const startedMs = performance.now()
    const watch = fs.watch('folder', () => (calls += 1))
    await toldBy(fs, 'folder', async () => {
      for (let index = 0; index < 200; index += 1) await file.write([encodeText('x')], index)
    })
    watch[Symbol.dispose]()
    await file.close()
    // On a machine so busy that the changes come one by one, each may be told by itself, but never faster than this.
    const most = Math.max(100, (performance.now() - startedMs) / SHORTEST_PACE_MS + 1)
    assert.ok(calls <= most, `${calls} calls for 200 changes`)
  })
}

function keepsToItsRoot(behaves: Behaves): void {
  const bad = [
    '',
    '/',
    '/etc/passwd',
    '..',
    '../x',
    'a/../../x',
    'a//b',
    './a',
    'a/',
    'a\\b',
    'C:x',
    'a\0',
    'nul',
  ]
  const empty = new Uint8Array()
  const methods: { [name: string]: (fs: SessionFs, path: string) => unknown } = {
    nativePath: (fs, path) => fs.nativePath(path),
    diskPath: (fs, path) => fs.diskPath(path),
    lockKey: (fs, path) => fs.lockKey(path),
    stat: (fs, path) => fs.stat(path),
    statMany: (fs, path) => fs.statMany(['fine', path]),
    list: (fs, path) => fs.list(path),
    read: (fs, path) => fs.read(path),
    openRead: (fs, path) => fs.openRead(path),
    openAppend: (fs, path) => fs.openAppend(path),
    writeAtomic: (fs, path) => fs.writeAtomic(path, empty, at),
    createExclusive: (fs, path) => fs.createExclusive(path, empty),
    mkdir: (fs, path) => fs.mkdir(path),
    'rename from': (fs, path) => fs.rename(path, 'to'),
    'rename to': (fs, path) => fs.rename('fine', path),
    remove: (fs, path) => fs.remove(path),
    'copy from': (fs, path) => fs.copy(path, 'to'),
    'copy to': (fs, path) => fs.copy('fine', path),
    'share from': (fs, path) => fs.share(path, 'to'),
    'share to': (fs, path) => fs.share('fine', path),
    watch: (fs, path) => fs.watch(path, () => {}),
  }
  for (const [method, call] of Object.entries(methods)) {
    behaves(`${method} refuses every path that is not a plain one below the root`, async (fs) => {
      await write(fs, 'fine', 'x')
      for (const path of bad) {
        await assert.rejects(async () => call(fs, path), BadPath, JSON.stringify(path))
      }
      assert.equal(await text(fs, 'fine'), 'x')
    })
  }
}
