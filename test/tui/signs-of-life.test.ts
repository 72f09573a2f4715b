/** Who answers, what goes on and for how long, and how somebody who looks elsewhere is called back. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AgentItem, Turn } from '../../src/engine/agent.ts'
import { wayFor } from '../../src/surfaces/tui/notify.ts'
import { say, startTool } from '../support/engine.ts'
import { memoryEngine, openScreen } from './screen.ts'
import { talk } from './script.ts'
import { send } from './views.ts'

const idle = /commands · \? help/
const OUT = '\x1b[O'

const never = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

describe('the status line', () => {
  it('says who answers and how, from the first frame that knows it', async () => {
    await using screen = openScreen({ script: talk })
    await screen.shows(/new session · copilot · interactive .*help/)
    await screen.shows('Answering: copilot.')
  })

  it('keeps who answers in forty columns', async () => {
    await using screen = openScreen({ script: talk, columns: 40 })
    await send(screen, 'code', /42%/)
    await screen.shows(/^copilot · ▰▰▱▱▱ 42%.*help/m)
  })

  it('says that everything is allowed, and no more once it is asked again', async () => {
    const permissions = { allowAll: true }
    await using screen = openScreen({ script: talk, options: { permissions } })
    await screen.shows('allows all')
    await send(screen, '/permissions ask', 'The agent asks you')
    await screen.shows('interactive')
  })
})

describe('a turn that runs', () => {
  it('says what it does: starting, running a tool, asking again', async () => {
    const [one, two, three] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    async function* steps(): AsyncGenerator<AgentItem> {
      await one.promise
      yield startTool('t1', 'bash', { command: 'npm test' })
      await two.promise
      yield {
        notice: {
          type: 'assistant.turn_retry',
          data: { turnId: '0', attempt: 2, mostAttempts: 6, reason: '500: boom' },
        },
      }
      await three.promise
      yield say('Done.')
    }
    await using screen = openScreen({ script: steps })
    await send(screen, 'go', 'starting copilot… · 0 s')
    one.resolve()
    await screen.shows('running bash npm test… · 0 s')
    two.resolve()
    await screen.shows('retry 2 of 6 (500: boom)…')
    three.resolve()
    await screen.shows(idle)
  })

  it('moves and counts seconds while nothing is told', async () => {
    let time = Date.parse('2026-01-01T12:00:00Z')
    async function* silent(_: unknown, signal: AbortSignal): AsyncGenerator<AgentItem> {
      yield* []
      await never(signal)
    }
    const now = () => new Date((time += 100))
    await using screen = openScreen({ script: silent, options: { now } })
    await send(screen, 'go', /starting copilot… · 2 s/)
  })

  it('counts each turn by itself, though the next one waited for it', async () => {
    let time = Date.parse('2026-01-01T12:00:00Z')
    const first = Promise.withResolvers<void>()
    async function* steps({ message }: Turn, signal: AbortSignal): AsyncGenerator<AgentItem> {
      await (message.content === 'one' ? first.promise : never(signal))
      yield say('Done.')
    }
    await using screen = openScreen({ script: steps, options: { now: () => new Date(time) } })
    await send(screen, 'one', /starting copilot… · 0 s/)
    await send(screen, 'two', 'Queued (1)')
    time += 50_000
    await screen.shows(/starting copilot… · 50 s/)
    first.resolve()
    await screen.shows(/Done\.[^]*❯ two[^]*copilot… · 0 s/)
  })
})

describe('somebody who looks elsewhere', () => {
  it('is called when the agent asks and when it is done', async () => {
    await using screen = openScreen({ script: talk, options: { settings: { notify: 'osc9' } } })
    await screen.shows(idle)
    screen.type(OUT)
    await send(screen, 'edit', 'enter, or a number')
    screen.type('1')
    await screen.shows(/Changed\.[^]*commands/)
    const calls = screen.written.join('').split('\x1b]9;').slice(1)
    assert.deepEqual(
      calls.map((call) => call.split('\x07', 1)[0]),
      ['edit asks: write src/a.ts', 'edit is done'],
    )
  })

  it('calls nobody back for what a rule answers', async () => {
    const allowed = { kind: 'allow', by: 'policy' } as const
    const engine = memoryEngine(talk, { policy: async () => allowed })
    await using screen = openScreen({
      script: talk,
      engine,
      options: { settings: { notify: 'osc9' } },
    })
    await screen.shows(idle)
    screen.type(OUT)
    await send(screen, 'edit', /Changed\.[^]*commands/)
    const calls = screen.written.join('').split('\x1b]9;').slice(1)
    assert.deepEqual(
      calls.map((call) => call.split('\x07', 1)[0]),
      ['edit is done'],
    )
  })

  it('is not called while they look, nor when they want no call', async () => {
    for (const notify of ['osc9', 'off'] as const) {
      await using screen = openScreen({ script: talk, options: { settings: { notify } } })
      await screen.shows(idle)
      screen.type(notify === 'off' ? OUT : '\x1b[I')
      await send(screen, 'hi', /You said hi[^]*commands/)
      assert.ok(!screen.written.join('').includes(']9;'))
    }
  })

  it('is called in the way that their terminal understands', () => {
    assert.deepEqual(
      [
        wayFor({ TERM_PROGRAM: 'iTerm.app' }),
        wayFor({ KITTY_WINDOW_ID: '1' }),
        wayFor({ TERM: 'foot' }),
        wayFor({ TMUX: 'x', TERM_PROGRAM: 'iTerm.app' }),
        wayFor({ TERM: 'xterm-256color' }),
      ],
      ['osc9', 'osc99', 'osc777', 'bell', 'bell'],
    )
  })
})
