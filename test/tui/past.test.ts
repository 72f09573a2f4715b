/** What was said in all sessions, asked for in the terminal: a home on a real disk with a real store and board. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDisk } from '../../src/fs/disk.ts'
import { redactorOf } from '../../src/wiring/open-redactor.ts'
import { openBoard } from '../../src/store/board.ts'
import { createStore } from '../../src/store/store.ts'
import { converse, openHome } from '../support/engine.ts'
import { views, type OpenPerson } from './person.ts'
import { talk } from './script.ts'
import { make } from './views.ts'

const said = (text: string) => new RegExp(`You said \\W*${text}`)

async function openPast() {
  const home = await openHome()
  const options = { cacheFolder: `${home.path}/cache` }
  const store = createStore(openDisk(home.path), options)
  const board = openBoard(openDisk(home.path), options)
  const past = {
    store: async () => store,
    board: async () => board,
    redactor: () => redactorOf(home.path),
    ...options,
  }
  return {
    home,
    board,
    as: (open: OpenPerson) =>
      open({
        script: talk,
        engine: home.engine({ script: talk }),
        options: { past, now: () => new Date() },
      }),
    async [Symbol.asyncDispose]() {
      await store.close()
      board.close()
      await home[Symbol.asyncDispose]()
    },
  }
}

for (const [view, open] of views) {
  describe(`/search, ${view}`, () => {
    it('lists hits and opens the session where it was said', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      const [id] = await make(person.engine, ['hello'])
      assert.ok(id !== undefined)
      await converse(person.engine, id, { prompt: 'the pump leaks' })
      for (let at = 0; at < 60; at++) await converse(person.engine, id, { prompt: `turn ${at}` })
      await person.says('/search pump', /hits? for "pump"[^]*forks/)
      person.takes(1)
      await person.shows(/the pump leaks[^]*turn 0/)
      assert.doesNotMatch(person.text(), /turn 59/)
      await person.adds('and now', said('and now'))
    })

    it('forks from where a hit was said', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      const [id] = await make(person.engine, ['hello'])
      assert.ok(id !== undefined)
      for (const prompt of ['the pump leaks', 'something else'])
        await converse(person.engine, id, { prompt })
      await person.says('/search pump', /hits? for "pump"/)
      person.takes(1, 'f')
      await person.shows('forked from')
      await person.shows(said('the pump leaks'))
      assert.doesNotMatch(person.text(), /something else/)
    })

    it('says what else could be meant', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      await make(person.engine, ['the pump leaks'])
      await person.says('/search pmup', /Did you mean pump\?|Nothing was found for "pmup"/)
      await person.rests()
    })
  })

  describe(`the rest of the past, ${view}`, () => {
    it('is shared as a file, without secrets', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      const token = ['ghp', 'xK9vQ2mT7sLp4RwZ8bNc1YdF6hJg3AeU5oXi'].join('_')
      await person.says(`use ${token} please`, said('use'))
      await person.says('/share for you', 'Written:')
      const [session] = await person.engine.list()
      assert.ok(session !== undefined)
      const bytes = await (await person.engine.open(session.id)).readFile('files/for-you.md')
      const text = new TextDecoder().decode(bytes)
      assert.match(text, /please/)
      assert.ok(!text.includes(token))
    })

    it('answers SQL as a table and says what was wrong with a query', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      await make(person.engine, ['the pump | leaks'])
      await person.says(
        '/sql SELECT user_message, 6*7 AS n FROM turns',
        /the pump \\?\| leaks\s*[│|]\s*42/,
      )
      person.closes()
      await person.says('/sql DELETE FROM turns', /only|read|refused|not allowed/i)
    })

    it('is told by reports', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      await make(person.engine, ['fix the pump'])
      await person.says('/chronicle standup 9999d', 'Chronicle standup')
      await person.shows('fix the pump')
      person.closes()
      await person.says('/chronicle nonsense', '/chronicle knows')
    })

    it('is indexed anew, and how much was read is said', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      await make(person.engine, ['one', 'two', 'three'])
      await person.says('/reindex', '3 sessions indexed')
      await person.rests()
    })

    it('keeps, shows and removes what new sessions should know', async () => {
      await using here = await openPast()
      await using person = here.as(open)
      await person.says('/board', 'is empty.')
      await person.says('/board add package manager: Use pnpm.', 'On the board: "package manager"')
      await here.board.propose('s', [
        { repository: '/work/engine', src: 'session', name: 'tests', content: 'Run make test.' },
      ])
      await person.says('/board', '? tests')
      person.takes(1, 'a')
      await person.shows('On the board: "tests"')
      await person.shows(
        /tests .*by session[^]*package manager|package manager[^]*tests .*by session/,
      )
      person.takes(2, 'd')
      await person.shows('Removed: "')
      person.leaves()
      await person.rests()
      assert.equal((await here.board.list()).length, 1)
    })
  })
}
