/** What takes the place of a title, a plan or a file leaves no word of it in what a home derives: index and catalogue. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { putDocument } from '../../src/store/documents.ts'
import { openDatabase } from '../../src/store/open-store.ts'
import { sqlOf } from '../../src/store/sql.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { inTransaction } from '../../src/store/transaction.ts'
import { withStore } from '../../src/wiring/follow-store.ts'
import { openBoard } from '../../src/store/board.ts'
import { converse, openHome, type Home } from '../support/engine.ts'
import { lookThrough } from './look-through.ts'

describe('no word is left in the index and the catalogue', () => {
  let home: Home
  let store: Store
  let engine: Engine
  let cacheFolder: string

  before(async () => {
    home = await openHome()
    cacheFolder = join(home.path, '.cache')
    const plain = home.engine()
    store = createStore(plain.fs, { cacheFolder })
    const board = openBoard(plain.fs, { cacheFolder })
    engine = withStore(plain, { store: async () => store, board: async () => board })
  })
  after(async () => {
    await engine.stop()
    await home[Symbol.asyncDispose]()
  })

  const begin = async (prompt: string): Promise<SessionId> => {
    const { id } = await engine.create()
    await converse(engine, id, { prompt })
    await follow(id)
    return id
  }
  const follow = async (id: SessionId) => {
    await engine.list()
    store.follower.changed(id)
    await store.follower.settled()
  }
  /** Files beside the logs that hold it. */
  const holds = (word: string) =>
    lookThrough([home.path], word)
      .map((path) => path.slice(home.path.length + 1))
      .filter((path) => !path.startsWith('session-state/'))

  it('of a name in whose place a person put another', async () => {
    const id = await begin('nothing special')
    const session = await engine.open(id)
    await session.rename('ferrochrome')
    await follow(id)
    assert.notDeepEqual(holds('ferrochrome'), [])
    await session.rename('another')
    await follow(id)
    assert.deepEqual(holds('ferrochrome'), [])
  })

  it('of a title that was the first prompt, when its turn is taken back and another is said', async () => {
    const id = await begin('quixotherm is broken')
    const session = await engine.open(id)
    await session.undo()
    await follow(id)
    assert.deepEqual(holds('quixotherm'), [])
    assert.equal((await engine.summary(id))?.name, undefined)
    await converse(engine, id, { prompt: 'something else' })
    await follow(id)
    assert.deepEqual(holds('quixotherm'), [])
    assert.equal((await engine.summary(id))?.name, 'something else')
  })

  it('of a plan and of a file of the session that were written anew', async () => {
    const id = await begin('make a plan')
    const session = await engine.open(id)
    await session.writePlan('# First\n\nMind the gyroplankton.\n')
    await session.writeFile('files/notes.md', Buffer.from('Mind the heliotrawler.\n'))
    await follow(id)
    assert.notDeepEqual([holds('gyroplankton'), holds('heliotrawler')], [[], []])
    await session.writePlan('# Second\n')
    await session.writeFile('files/notes.md', Buffer.from('Nothing to mind.\n'))
    await follow(id)
    assert.deepEqual([holds('gyroplankton'), holds('heliotrawler')], [[], []])
  })

  it('and a turn that only grows costs no merge of the index', async () => {
    const db = await openDatabase(undefined)
    const sql = sqlOf(db)
    const owner = { id: 'a' as SessionId, key: 1 }
    const put = (content: string) =>
      inTransaction(db, () => {
        putDocument(sql, owner, { turn: 0, source: 'turn', at: null, content })
      })
    const noted = () => sql("SELECT value FROM reprise_home WHERE name = 'unmerged'").get()?.value
    for (const content of ['so', 'so it', 'so it grows']) put(content)
    assert.equal(noted(), undefined)
    put('otherwise')
    assert.equal(noted(), 1)
    db.close()
  })
})
