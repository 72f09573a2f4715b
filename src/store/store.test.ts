/** What the store keeps of sessions, and what becomes of it when something is wrong. */
import assert from 'node:assert/strict'
import {
  globSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { Draft } from '../format/event.ts'
import { answered, gave, said } from '../../test/log-of.ts'
import { openStoreHome, sessionId } from '../../test/support/store.ts'
import { dumpStore } from '../../test/support/store-dump.ts'
import { openDisk } from '../fs/disk.ts'
import { examineStore } from './doctor.ts'
import type { Store } from './store.ts'

const ID = sessionId(1)

const found = async (store: Store, query: string): Promise<number> =>
  (await store.search({ query })).hits.length

const editStarts = (toolCallId: string, path: string): Draft => ({
  type: 'tool.execution_start',
  data: { toolCallId, toolName: 'edit', arguments: { path } },
})

describe('what is kept', () => {
  it('answers queries that were written for the Copilot CLI', async () => {
    await using home = openStoreHome()
    home.write(
      ID,
      [
        said('Mend the parser'),
        answered('Done.'),
        editStarts('e', 'src/parse.ts'),
        gave('e', '[main 1a2b3c4] Mend it'),
        {
          type: 'session.compaction_complete',
          data: {
            success: true,
            checkpointNumber: 3,
            summaryContent: '<overview>\nMended\n</overview>',
          },
        },
      ],
      'repository: ada/parser\nname: Parser\ncwd: /p\n',
    )
    const store = home.store()
    await store.reindex()
    const db = new DatabaseSync((await store.path())!)
    const all = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }))
    assert.deepEqual(all('SELECT id, cwd, repository, summary FROM sessions'), [
      { id: ID, cwd: '/p', repository: 'ada/parser', summary: 'Parser' },
    ])
    assert.deepEqual(all('SELECT turn_index, user_message, assistant_response FROM turns'), [
      { turn_index: 0, user_message: 'Mend the parser', assistant_response: 'Done.' },
    ])
    assert.deepEqual(all('SELECT file_path, tool_name, turn_index FROM session_files'), [
      { file_path: 'src/parse.ts', tool_name: 'edit', turn_index: 0 },
    ])
    assert.deepEqual(all('SELECT ref_type, ref_value FROM session_refs ORDER BY 1'), [
      { ref_type: 'branch', ref_value: 'main' },
      { ref_type: 'commit', ref_value: '1a2b3c4' },
    ])
    assert.deepEqual(all('SELECT checkpoint_number, title, overview FROM checkpoints'), [
      { checkpoint_number: 3, title: 'Mended', overview: 'Mended' },
    ])
    assert.deepEqual(
      all(
        "SELECT session_id, source_type, source_id, content FROM search_index WHERE search_index MATCH 'mend AND done'",
      ),
      [
        {
          session_id: ID,
          source_type: 'turn',
          source_id: `${ID}:turn:0`,
          content: 'Mend the parser\nDone.',
        },
      ],
    )
    db.close()
  })

  it('takes back the end of a call when it is rewound', async () => {
    await using home = openStoreHome()
    const store = home.store()
    home.write(ID, [said('zero'), said('one'), editStarts('e', 'a.ts'), said('two')])
    const { size } = statSync(home.log(ID))
    home.append(ID, [gave('e', 'latecomer'), answered('more')])
    await store.reindex()
    assert.equal(await found(store, 'latecomer'), 1)
    truncateSync(home.log(ID), size)
    store.follower.changed(ID)
    await store.follower.settled()
    assert.equal(await found(store, 'latecomer'), 0)
    const db = new DatabaseSync((await store.path())!)
    const [call] = db
      .prepare('SELECT output, success, completed_turn FROM reprise_tool_calls')
      .all()
    assert.deepEqual({ ...call }, { output: null, success: null, completed_turn: null })
    assert.deepEqual(db.prepare('SELECT * FROM session_files').all(), [])
    db.close()
  })

  it('keeps the files of the folder when the log is cut to its beginning', async () => {
    await using home = openStoreHome()
    const store = home.store()
    home.write(ID, [], 'name: Walrus\n')
    const { size } = statSync(home.log(ID))
    home.append(ID, [said('carpenter')])
    writeFileSync(join(dirname(home.log(ID)), 'plan.md'), 'oysters')
    await store.reindex()
    truncateSync(home.log(ID), size)
    store.follower.changed(ID)
    await store.follower.settled()
    const words = ['oysters', 'walrus', 'carpenter']
    assert.deepEqual(await Promise.all(words.map((word) => found(store, word))), [1, 1, 0])
  })

  it('finds what is deleted no more, and what is restored again', async () => {
    await using home = openStoreHome()
    home.write(ID, [said('needle')])
    const store = home.store()
    await store.reindex()
    const bytes = readFileSync(home.log(ID))
    rmSync(home.log(ID))
    store.follower.changed(ID)
    await store.follower.settled()
    assert.equal(await found(store, 'needle'), 0)
    writeFileSync(home.log(ID), bytes)
    store.follower.changed(ID)
    await store.follower.settled()
    assert.equal(await found(store, 'needle'), 1)
  })

  it('lets texts be redacted before anything of them is kept', async () => {
    await using home = openStoreHome()
    home.write(
      ID,
      [said('the key is hunter2 indeed')],
      'name: why hunter2 fails\nuser_named: true\n',
    )
    const store = home.store({ redact: (text) => text.replaceAll('hunter2', '[secret]') })
    await store.reindex()
    assert.equal(await found(store, 'hunter2'), 0)
    assert.equal(await found(store, 'indeed'), 1)
    assert.equal(await found(store, 'fails'), 1)
    await store.close()
    for (const file of globSync('session-store.db*', { cwd: home.path }))
      assert.equal(readFileSync(join(home.path, file)).includes('hunter2'), false, file)
  })
})

describe('reindexing', () => {
  it('reads only what changed, and says what it did', async () => {
    await using home = openStoreHome()
    for (const number of [1, 2, 3]) home.write(sessionId(number), [said(`prompt ${number}`)])
    const store = home.store()
    const { indexed, removed, failed } = await store.reindex()
    assert.deepEqual([indexed, removed, failed], [3, 0, []])
    home.append(sessionId(2), [said('news')])
    rmSync(join(home.path, 'session-state', sessionId(3)), { recursive: true })
    const second = await store.reindex()
    assert.deepEqual([second.removed, second.failed, second.finished], [1, [], true])
    assert.deepEqual(
      await Promise.all(['prompt', 'news', '3'].map((word) => found(store, word))),
      [2, 1, 0],
    )
  })

  it('names a session that cannot be read, and indexes the others', async () => {
    await using home = openStoreHome()
    home.write(ID, [said('fine')])
    home.write(sessionId(2), [])
    writeFileSync(home.log(sessionId(2)), 'no record at all\n')
    // Long enough ago that what the file system says of them is trusted.
    for (const log of [home.log(ID), home.log(sessionId(2))])
      for (const path of [log, dirname(log)]) utimesSync(path, new Date(0), new Date(0))
    const store = home.store()
    const { indexed, failed } = await store.reindex()
    assert.deepEqual([indexed, failed.map(({ id }) => id)], [1, [sessionId(2)]])
    assert.match(failed[0]!.reason, /no record/)
    const again = await store.reindex()
    assert.deepEqual([again.indexed, again.skipped, again.failed], [0, 1, failed])
  })

  it('goes on where it was stopped', async () => {
    await using home = openStoreHome()
    for (let number = 1; number <= 5; number++) home.write(sessionId(number), [said('needle')])
    const store = home.store()
    const abort = new AbortController()
    abort.abort()
    const stopped = await store.reindex({ signal: abort.signal })
    assert.deepEqual([stopped.finished, await found(store, 'needle')], [false, 0])
    const rest = await store.reindex()
    assert.deepEqual([rest.finished, await found(store, 'needle')], [true, 5])
  })

  it('lets others in between small transactions when it runs in the background', async () => {
    await using home = openStoreHome()
    for (let number = 0; number < 20; number++) {
      home.write(sessionId(number), [said('a long story '.repeat(8000))])
    }
    const timesTold = async (inBackground: boolean) => {
      let told = 0
      await home.store().reindex({ force: true, inBackground, onProgress: () => (told += 1) })
      return told
    }
    assert.equal(await timesTold(false), 1)
    assert.ok((await timesTold(true)) >= 5)
  })

  it('notices by a cheap look that sessions came or went on', async () => {
    await using home = openStoreHome()
    const store = home.store()
    assert.equal(await store.catchUp(), undefined)
    home.write(ID, [said('needle')])
    assert.equal((await store.catchUp())?.indexed, 1)
    assert.equal(await found(store, 'needle'), 1)
  })
})

describe('a database that is not as it should be', () => {
  it('is set aside when it is damaged, and made again', async () => {
    await using home = openStoreHome()
    home.write(ID, [said('needle')])
    const path = join(home.path, 'session-store.db')
    writeFileSync(path, 'this is no database, and long enough to be looked at as one'.repeat(100))
    const store = home.store()
    await store.reindex()
    assert.equal(await found(store, 'needle'), 1)
    assert.match(home.troubles.join(), /was damaged. It was set aside/)
    assert.match(readFileSync(`${path}.broken`, 'utf8'), /^this is no database/)
  })

  it('is made again when damage shows only in use', async () => {
    await using home = openStoreHome()
    for (let number = 1; number <= 50; number++) {
      home.write(sessionId(number), [said(`needle ${'word '.repeat(500)}`)])
    }
    const first = home.store()
    await first.reindex()
    await first.close()
    const path = join(home.path, 'session-store.db')
    const bytes = readFileSync(path)
    // Beyond the pages that opening looks at.
    bytes.fill(0xa5, Math.floor(bytes.length / 8192) * 4096)
    writeFileSync(path, bytes)
    const store = home.store()
    await store.search({ query: 'needle' }).catch(() => {})
    await store.reindex({ force: true }).catch(() => {})
    await store.reindex()
    assert.equal((await store.search({ query: 'needle', limit: 100 })).hits.length, 50)
    dumpStore(path)
  })

  it('does not hold a turn up while it is locked, and is caught up afterwards', async () => {
    await using home = openStoreHome()
    home.write(ID, [said('first')])
    const store = home.store()
    await store.reindex()
    const other = new DatabaseSync((await store.path())!)
    other.exec('BEGIN EXCLUSIVE')
    home.append(ID, [said('needle')])
    store.follower.changed(ID)
    await store.follower.settled()
    other.exec('ROLLBACK')
    other.close()
    assert.equal(await found(store, 'needle'), 0)
    assert.equal(home.troubles.length, 1)
    await store.follower.settled()
    assert.equal(await found(store, 'needle'), 1)
  })

  it('is waited for a moment by a process that ends while another writes', async () => {
    await using home = openStoreHome()
    home.write(ID, [said('first')])
    const met = Promise.withResolvers<void>()
    const store = home.store({ onTrouble: () => met.resolve() })
    await store.reindex()
    const other = new DatabaseSync((await store.path())!)
    other.exec('BEGIN EXCLUSIVE')
    home.append(ID, [said('needle')])
    store.follower.changed(ID)
    const closed = store.close()
    await met.promise
    other.exec('ROLLBACK')
    other.close()
    await closed
    assert.equal(await found(home.store(), 'needle'), 1)
  })

  it('is left alone when it belongs to the Copilot CLI', async () => {
    await using home = openStoreHome()
    const path = join(home.path, 'session-store.db')
    const theirs = new DatabaseSync(path)
    theirs.exec(
      'CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (8)',
    )
    theirs.close()
    const before = readFileSync(path)
    home.write(ID, [said('needle')])
    const store = home.store()
    await store.reindex()
    assert.equal(await found(store, 'needle'), 1)
    assert.equal(await store.path(), join(home.path, '.reprise', 'session-store.db'))
    assert.deepEqual(readFileSync(path), before)
  })

  it('goes to a local folder when the home is on a shared disk', async () => {
    await using home = openStoreHome()
    const store = home.store({ isShared: () => true })
    await store.reindex()
    assert.ok((await store.path())!.startsWith(join(home.path, 'cache', 'stores')))
  })

  it('is nobody else’s to read', async () => {
    await using home = openStoreHome()
    const store = home.store()
    await store.reindex()
    assert.equal(statSync((await store.path())!).mode & 0o777, 0o600)
    assert.equal(await store.path(), join(home.path, 'session-store.db'))
  })

  it('of a later version is not touched: one of ours is made beside it, until the place is free', async () => {
    await using home = openStoreHome()
    const first = home.store()
    await first.reindex()
    const path = (await first.path())!
    await first.close()
    const db = new DatabaseSync(path)
    db.exec('UPDATE schema_version SET version = 99')
    db.close()
    const later = readFileSync(path)
    const store = home.store()
    assert.equal((await store.reindex()).failed.length, 0)
    assert.match((await store.path()) ?? '', /\.reprise.session-store\.db$/)
    await store.close()
    const { ailments } = await examineStore(openDisk(home.path), {
      cacheFolder: join(home.path, 'cache'),
    })
    assert.deepEqual(
      ailments.map(({ severity, message }) => [severity, message.split(';')[0]]),
      [['note', 'session-store.db is of a later version and is left untouched']],
    )
    assert.deepEqual(readFileSync(path), later)
    rmSync(path)
    const next = home.store()
    assert.equal((await next.reindex()).failed.length, 0)
    assert.equal(await next.path(), path)
    await next.close()
  })
})
