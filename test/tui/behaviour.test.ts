/** What only the whole screen does, in a terminal emulator of this process with an agent that follows a script. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import type { AgentItem, Turn } from '../../src/engine/agent.ts'
import { argumentText } from '../../src/state/call-text.ts'
import { runningIn } from '../../src/state/running.ts'
import type { Start } from '../../src/surfaces/tui/options.ts'
import { converse, openHome, say, startTool } from '../support/engine.ts'
import { memoryEngine, openScreen } from './screen.ts'
import { talk } from './script.ts'
import { make, send } from './views.ts'

const ENTER = '\r'
const ESCAPE = '\x1b'
const ALT_ENTER = '\x1b\r'
const UP = '\x1b[A'
const PAGE_UP = '\x1b[5~'
const CTRL_END = '\x1b[1;5F'
const idle = /commands · \? help/

describe('a turn', () => {
  it('lets messages wait and gives the last one back', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'wait', 'Thinking aloud')
    await send(screen, 'one', 'Queued (1): “one”')
    await send(screen, 'two', 'Queued (2): “one”, “two”')
    screen.type(UP)
    await screen.lacks('Queued (2)')
    assert.match(screen.text(), /^ two$/m)
  })

  it('is not taken for running when turns come back while messages wait', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'wait', 'Thinking aloud')
    await send(screen, 'later', 'Queued (1): “later”')
    screen.type(ESCAPE)
    await screen.shows('enter on an empty line sends them')
    await send(screen, '/undo', 'Took back 1 turn')
    screen.type('\x15')
    await send(screen, '/redo', 'Redone')
    await screen.shows('! cancelled')
    await screen.shows(idle)
    assert.doesNotMatch(screen.text(), /waiting for|answering…/)
  })

  it('asks again by one key what an agent asked that died then', async () => {
    let turns = 0
    async function* dying(turn: Turn): AsyncGenerator<AgentItem> {
      yield startTool('t1', 'edit', { path: 'a.ts' })
      const asked = turn.permit({
        kind: 'write',
        toolCallId: 't1',
        intention: 'change it',
        fileName: 'a.ts',
        diff: '+a',
        canOfferSessionApproval: true,
      })
      turns += 1
      if (turns === 1) {
        // Its answer is for nobody any more.
        asked.catch(() => {})
        await screen.shows('1. Allow once')
        throw new Error('The agent ended.')
      }
      yield say(`It was ${(await asked).kind}ed.`)
    }
    await using screen = openScreen({ script: dying })
    await send(screen, 'build', /question was lost[^]*enter asks again/)
    await screen.shows(idle)
    screen.type('\r')
    await screen.shows('enter, or a number')
    await screen.shows('esc cancels · enter queues')
    screen.type('1')
    await screen.shows('It was allowed.')
    await screen.shows(idle)
    assert.doesNotMatch(screen.text(), /enter asks again/)
    screen.type('\r')
    await screen.shows(idle)
    assert.equal(turns, 2)
  })

  it('draws some thirty frames a second, not one for each delta', async () => {
    async function* fast(): AsyncGenerator<AgentItem> {
      for (let at = 0; at < 2000; at++) {
        yield {
          notice: {
            type: 'assistant.message_delta',
            data: { messageId: 'm', deltaContent: `w${at} ` },
          },
        }
      }
      yield say('All said.', 'm')
    }
    await using screen = openScreen({ script: fast })
    await send(screen, 'go', 'All said.')
    assert.ok(screen.written.length < 200, `${screen.written.length} writes`)
  })
})

describe('text of others', () => {
  it('never reaches the terminal as a command', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'evil', 'before')
    await screen.shows(idle)
    const all = screen.written.join('')
    for (const bad of ['owned', ']52;', ']8;;h', '\u202e', '\u009b'])
      assert.ok(!all.includes(bad), bad)
    assert.match(screen.text(), /click/)
  })

  it('is not painted when NO_COLOR is set', async () => {
    await using screen = openScreen({ script: talk, env: { NO_COLOR: '1' } })
    await send(screen, 'code', '- two')
    for (let colour = 30; colour < 38; colour++)
      assert.ok(!screen.written.join('').includes(`\x1b[${colour}m`))
  })
})

describe('time', () => {
  it('opens the timeline with two escapes', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'first', /You said first[^]*commands/)
    screen.type(ESCAPE)
    await screen.shows('esc again')
    screen.type(ESCAPE)
    await screen.shows('Go back to before which message?')
    screen.type(ENTER)
    await screen.shows('Take back 1 turn')
    screen.type('y')
    await screen.lacks('You said first')
  })

  it('takes the second escape for as long as the hint asks for it, and no key between', async () => {
    let time = Date.parse('2026-01-01T12:00:00Z')
    await using screen = openScreen({ script: talk, options: { now: () => new Date(time) } })
    await send(screen, 'first', /You said first[^]*commands/)
    screen.type(ESCAPE)
    await screen.shows('esc again')
    screen.type('x')
    await screen.lacks('esc again')
    time += 60_000
    screen.type(ESCAPE)
    await screen.shows('esc again')
    time += 60_000
    screen.type(ESCAPE)
    await screen.shows('Go back to before which message?')
  })
})

describe('a long session', () => {
  it('is paged from its log to the first message and back to the end', async () => {
    const engine = memoryEngine(talk)
    const [id] = await make(engine, ['turn 0'])
    assert.ok(id !== undefined)
    for (let at = 1; at < 150; at++) await converse(engine, id, { prompt: `turn ${at}` })
    await using screen = openScreen({
      script: talk,
      engine,
      start: { kind: 'open', id, isNew: false },
    })
    await screen.shows('You said turn 149.')
    // A page that is on its way comes with one of the next presses.
    for (let presses = 0; presses < 400 && !/❯ turn 0$/m.test(screen.text()); presses++) {
      screen.type(PAGE_UP)
      await screen.drawn()
    }
    await screen.shows(/❯ turn 0$/m)
    screen.type(CTRL_END)
    await screen.shows('You said turn 149.')
    await screen.shows(idle)
  })
})

describe('a terminal that looks on', () => {
  /** Two terminals on one session, and what was sent in the first is under way. */
  async function lookOn(prompt: string) {
    const home = await openHome()
    const open = (start?: Start) =>
      openScreen({
        script: talk,
        engine: home.engine({ script: talk, answersQuestions: true }),
        ...(start !== undefined && { start }),
      })
    const first = open()
    await send(first, 'hello', /You said hello[^]*commands/)
    const [session] = await first.engine.list()
    assert.ok(session !== undefined)
    const second = open({ kind: 'open', id: session.id, isNew: false })
    await second.shows('You said hello')
    await send(first, prompt, `❯ ${prompt}`)
    for await (const _ of (await second.engine.open(session.id)).follow())
      if (runningIn(await (await second.engine.open(session.id)).state()) !== undefined) break
    return {
      home,
      first,
      second,
      open: () => open({ kind: 'open', id: session.id, isNew: false }),
      async [Symbol.asyncDispose]() {
        for (const screen of [second, first, home]) await screen[Symbol.asyncDispose]()
      },
    }
  }

  it('is asked though it comes later, and loses to an answer that comes first', async () => {
    await using place = await lookOn('edit')
    const { first, open } = place
    await first.shows('enter, or a number')
    await using late = open()
    await late.shows('enter, or a number')
    first.type('3')
    await late.shows('Then not.')
    await late.lacks('Allow once')
    await late.shows(idle)
  })

  it('cancels the turn of the other one with two escapes', async () => {
    await using place = await lookOn('wait')
    const { first, second } = place
    await second.shows('esc esc cancels')
    second.type(ESCAPE)
    await second.shows('esc again cancels the turn of the other terminal')
    second.type(ESCAPE)
    await first.shows('! cancelled')
    await second.shows('! cancelled')
    await second.shows(idle)
  })

  it('says something in the turn of the other one', async () => {
    await using place = await lookOn('wait')
    const { first, second } = place
    await second.shows('another terminal is at work here')
    second.type('and this')
    second.type(ALT_ENTER)
    await first.shows('↪ and this')
    await second.shows('↪ and this')
  })

  it('sees in the list where somebody is at work', async () => {
    await using place = await lookOn('edit')
    await place.second.shows('enter, or a number')
    place.second.type('\x10')
    await place.second.shows('waits for you')
  })
})

describe('the editor', () => {
  it('completes files', async () => {
    await using screen = openScreen({ script: talk })
    await screen.shows(idle)
    for (const key of 'see @mil') screen.type(key)
    await screen.shows('src/mill.ts')
    screen.type('\t')
    await screen.shows('see @src/mill.ts')
  })

  it('keeps a large paste as a file of the session', async () => {
    await using screen = openScreen({ script: talk })
    await screen.shows(idle)
    screen.type(`\x1b[200~${'x'.repeat(5_000_000)}\x1b[201~`)
    await screen.shows(/\[pasted-\w+\.txt 5\.0 MB\]/)
    screen.type(ENTER)
    await screen.shows(/You said/)
    const [session] = await screen.engine.list()
    assert.ok(session !== undefined)
    const sizes = (await (await screen.engine.open(session.id)).files()).map(({ size }) => size)
    assert.deepEqual(sizes, [5_000_000])
  })

  it('remembers what was typed in other sessions', async () => {
    const engine = memoryEngine(talk)
    {
      await using first = openScreen({ script: talk, engine: keptOpen(engine) })
      await send(first, 'remember me', /You said remember me[^]*commands/)
    }
    await using second = openScreen({ script: talk, engine })
    await second.shows(idle)
    second.type(UP)
    await second.shows(/^ remember me$/m)
  })

  it('stops such a command with escape', async () => {
    await using screen = openScreen({ script: talk, options: { cwd: tmpdir() } })
    await send(screen, '!echo begun; sleep 600', '│ begun')
    screen.type(ESCAPE)
    await screen.shows('! cancelled')
    await screen.shows(idle)
  })

  it('runs it after the turn while one runs, and can be cancelled then', async () => {
    await using screen = openScreen({ script: talk, options: { cwd: tmpdir() } })
    await send(screen, 'edit', 'enter, or a number')
    await send(screen, '!echo late; sleep 600', 'is run when the turn has ended.')
    await screen.shows('enter, or a number')
    screen.type(ENTER)
    await screen.shows(/Changed\.[^]*│ late[^]*esc cancels/)
    screen.type(ESCAPE)
    await screen.shows('! cancelled')
    await screen.shows(idle)
  })

  it('does everything in the order of typing, however fast it comes', async () => {
    await using screen = openScreen({ script: talk, options: { cwd: tmpdir() } })
    await screen.shows(idle)
    screen.type(`\x1b[200~${'x'.repeat(5_000)}\x1b[201~`)
    for (const key of [ENTER, '!echo two', ENTER, 'three', ENTER, '!echo four', ENTER])
      screen.type(key)
    await screen.shows(/✓ ! echo four/)
    const [session] = await screen.engine.list()
    assert.ok(session !== undefined)
    const { events } = await (await screen.engine.open(session.id)).events()
    const sent = events.flatMap((event) => {
      if ('stranger' in event) return []
      if (event.type === 'user.message') return [event.data.content.replace(/-\w+/, '')]
      return event.type === 'tool.user_requested' ? [argumentText(event.data.arguments)] : []
    })
    assert.deepEqual(sent, ['[pasted.txt 5.0 kB]', 'echo two', 'three', 'echo four'])
  })

  it('does not run it when the turn is cancelled', async () => {
    await using screen = openScreen({ script: talk, options: { cwd: tmpdir() } })
    await send(screen, 'wait', 'Thinking aloud')
    await send(screen, '!echo late', 'echo late is run when the turn has ended.')
    screen.type(ESCAPE)
    await screen.shows('echo late was not run: the turn was cancelled.')
    assert.doesNotMatch(screen.text(), /│ late/)
  })
})

describe('the list of sessions', () => {
  it('narrows as one types, renames, deletes and opens', async () => {
    await using screen = openScreen({ script: talk })
    await make(screen.engine, ['fix the pump', 'oil the gears', 'paint the mill'])
    await screen.shows(idle)
    screen.type('\x10')
    await screen.shows('paint the mill')
    for (const key of 'gea') screen.type(key)
    await screen.shows('1 of 3')
    screen.type('\x12')
    await screen.shows('The new name')
    screen.type('\x15')
    for (const key of 'gears 2') screen.type(key)
    screen.type(ENTER)
    await screen.shows('❯ gears 2')
    screen.type('\x04')
    await screen.shows('Delete "gears 2"?')
    screen.type('y')
    await screen.shows('0 of 2')
    screen.type('\x15')
    await screen.shows('fix the pump')
    screen.type(ENTER)
    await screen.shows('You said paint the mill.')
  })

  it('ends the program with escape when the program was started to choose one', async () => {
    const engine = memoryEngine(talk)
    await make(engine, ['fix the pump'])
    await using screen = openScreen({ script: talk, engine, start: { kind: 'pick' } })
    await screen.shows(/fix the pump[^]*esc leaves/)
    screen.type(ESCAPE)
    await screen.ended
    const { total } = await engine.nearest(await engine.project('/work/engine'), { limit: 0 })
    assert.equal(total, 1)
  })

  it('is only closed with escape when it was opened later', async () => {
    await using screen = openScreen({ script: talk })
    await make(screen.engine, ['fix the pump'])
    await screen.shows(idle)
    screen.type('\x10')
    await screen.shows('esc leaves')
    screen.type(ESCAPE)
    await screen.shows(idle)
    await send(screen, 'still here', 'You said still here.')
  })
})

describe('the size', () => {
  it('may change at any time', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'long', 'Counted.')
    screen.resize(40, 10)
    await screen.shows(/Counted\.\n\n─{40}\n/)
    screen.resize(120, 40)
    await screen.shows(/─{120}/)
    await screen.shows('❯ long')
  })
})

/** One engine for two screens: the first leaves it running. */
const keptOpen = (engine: ReturnType<typeof memoryEngine>) => ({ ...engine, stop: async () => {} })
