/** What was said in all sessions, asked for in the terminal: a home on a real disk with a real store and board. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDisk } from '../../src/fs/disk.ts'
import { loadRedactorOf } from '../../src/wiring/open-redactor.ts'
import { openBoard } from '../../src/store/board.ts'
import { createStore } from '../../src/store/store.ts'
import { converse, openHome } from '../support/engine.ts'
import { openScreen } from './screen.ts'
import { talk } from './script.ts'
import { make, send } from './views.ts'

const ENTER = '\r'
const DOWN = '\x1b[B'
const idle = /commands · \? help/

async function openPast() {
  const home = await openHome()
  const options = { cacheFolder: `${home.path}/cache` }
  const store = createStore(openDisk(home.path), options)
  const board = openBoard(openDisk(home.path), options)
  const past = {
    store: async () => store,
    board: async () => board,
    redactor: () => loadRedactorOf(home.path),
    ...options,
  }
  return {
    home,
    board,
    screen: () =>
      openScreen({
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

describe('/search', () => {
  it('lists hits, shows why, and opens the session where it was said', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    const [id] = await make(screen.engine, ['hello'])
    assert.ok(id !== undefined)
    await converse(screen.engine, id, { prompt: 'the pump leaks' })
    for (let at = 0; at < 60; at++) await converse(screen.engine, id, { prompt: `turn ${at}` })
    await send(screen, '/search pump', /hits? for "pump"/)
    await screen.shows('the [pump] leaks')
    await screen.shows('enter opens · f forks · esc leaves')
    screen.type(ENTER)
    await screen.shows(/❯ the pump leaks[^]*❯ turn 0/)
    assert.doesNotMatch(screen.text(), /turn 59/)
    screen.type('\x1b[1;5F')
    await screen.shows('You said turn 59.')
  })

  it('forks from where a hit was said', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    const [id] = await make(screen.engine, ['hello'])
    assert.ok(id !== undefined)
    for (const prompt of ['the pump leaks', 'something else'])
      await converse(screen.engine, id, { prompt })
    await send(screen, '/search pump', /hits? for "pump"/)
    screen.type('f')
    await screen.shows('forked from')
    await screen.shows('You said the pump leaks.')
    assert.doesNotMatch(screen.text(), /something else/)
  })

  it('says what else could be meant', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    await make(screen.engine, ['the pump leaks'])
    await send(screen, '/search pmup', /Did you mean pump\?|Nothing was found for "pmup"/)
    await screen.shows(idle)
  })
})

describe('/share', () => {
  it('writes what was said into a file, without secrets', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    const token = ['ghp', 'xK9vQ2mT7sLp4RwZ8bNc1YdF6hJg3AeU5oXi'].join('_')
    await send(screen, `use ${token} please`, /You said[^]*commands/)
    await send(screen, '/share for you', 'Written:')
    const [session] = await screen.engine.list()
    assert.ok(session !== undefined)
    const bytes = await (await screen.engine.open(session.id)).readFile('files/for-you.md')
    const text = new TextDecoder().decode(bytes)
    assert.match(text, /please/)
    assert.ok(!text.includes(token))
  })
})

describe('the rest of the past', () => {
  it('answers SQL as a table and says what was wrong with a query', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    await make(screen.engine, ['the pump | leaks'])
    await send(
      screen,
      '/sql SELECT user_message, 6*7 AS n FROM turns',
      /the pump \| leaks\s*│\s*42/,
    )
    screen.type('q')
    await screen.shows(idle)
    await send(screen, '/sql DELETE FROM turns', /only|read|refused|not allowed/i)
  })

  it('reports, and shows the report page by page', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    await make(screen.engine, ['fix the pump'])
    await send(screen, '/chronicle standup 9999d', 'Chronicle: standup')
    await screen.shows('fix the pump')
    screen.type('q')
    await send(screen, '/chronicle nonsense', '/chronicle knows standup')
  })

  it('builds the index anew and says how much it read', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    await make(screen.engine, ['one', 'two', 'three'])
    await send(screen, '/reindex', 'Indexed: 3 sessions.')
    await screen.lacks('sessions indexed')
  })

  it('keeps, shows and removes what new sessions should know', async () => {
    await using here = await openPast()
    await using screen = here.screen()
    await send(screen, '/board', 'The board is empty.')
    await send(screen, '/board add package manager: Use pnpm.', 'On the board: "package manager"')
    await here.board.propose('s', [
      { repository: '/work/engine', src: 'session', name: 'tests', content: 'Run make test.' },
    ])
    await send(screen, '/board', '? tests')
    await screen.shows('Run make test.')
    screen.type('a')
    await screen.shows('On the board: "tests"')
    await screen.shows(/❯ (tests|package manager) /)
    screen.type(DOWN)
    screen.type('d')
    await screen.shows('Removed: "')
    screen.type('\x1b')
    await screen.shows(idle)
    assert.equal((await here.board.list()).length, 1)
  })
})
