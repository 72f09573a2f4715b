/** What the agent asks is answered by whoever means to, and by nobody who is only typing. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AgentItem, Turn } from '../../src/engine/agent.ts'
import { say } from '../support/engine.ts'
import { openScreen } from './screen.ts'
import { talk } from './script.ts'
import { send } from './views.ts'

const ENTER = '\r'
const ESCAPE = '\x1b'
const TAB = '\t'
const [UP, DOWN] = ['\x1b[A', '\x1b[B']
const ready = 'enter, or a number'
const idle = /commands · \? help/

/** Tells what it was answered. */
async function* teller(turn: Turn): AsyncGenerator<AgentItem> {
  const { kind, feedback } = await turn.permit({
    kind: 'shell',
    toolCallId: 't1',
    intention: '',
    fullCommandText: 'git status',
    commands: [],
    possiblePaths: [],
    possibleUrls: [],
    hasWriteFileRedirection: false,
    canOfferSessionApproval: true,
  })
  yield say(`It was ${kind}: ${feedback ?? 'no words'}.`)
}

describe('a permission prompt', () => {
  it('says what each answer allows and takes arrows, enter and numbers', async () => {
    await using screen = openScreen({ script: teller })
    await send(screen, 'go', ready)
    assert.match(screen.text(), /❯ 1\. Allow once\n {2}2\. Allow commands that begin with/)
    screen.type(DOWN)
    screen.type(DOWN)
    await screen.shows('❯ 3. No')
    screen.type(UP)
    await screen.shows('❯ 2. Allow')
    screen.type(ENTER)
    await screen.shows('It was allow-for-session: no words.')
  })

  it('offers the answers of the agent as it names them, what lasts behind what does not', async () => {
    await using screen = openScreen({
      async *script(turn: Turn) {
        const request = { kind: 'custom-tool', toolCallId: 't1', toolName: 'ExitPlanMode' } as const
        const { kind, option } = await turn.permit(
          { ...request, toolDescription: 'Ready?', args: { plan: 'Sow, then reap.' } },
          {
            endsPlan: true,
            options: [
              { id: 'auto', name: 'Yes, and never ask', kind: 'allow_always' },
              { id: 'ask', name: 'Yes, and ask for edits', kind: 'allow_once' },
              { id: 'stay', name: 'No, keep planning', kind: 'reject_once' },
            ],
          },
        )
        yield say(`It was ${kind}: ${option}.`)
      },
    })
    await send(screen, 'go', ready)
    for (const text of ['leave plan mode', 'Sow, then reap.', '❯ 1. Yes, and ask for edits'])
      await screen.shows(text)
    await screen.shows('3. No, keep planning')
    screen.type('2')
    await screen.shows('❯ 2. Yes, and never ask')
    screen.type(ENTER)
    await screen.shows('It was allow: auto.')
  })

  it('is not answered by somebody who is typing a message', async () => {
    await using screen = openScreen({ script: teller })
    await send(screen, 'go', 'Allow once')
    for (const key of 'yn a1 also fix') screen.type(key)
    screen.type(ENTER)
    await screen.shows('yn a1 also fix')
    await screen.shows(ready)
    assert.doesNotMatch(screen.text(), /It was/)
    screen.type('1')
    await screen.shows('It was allow: no words.')
  })

  it('leaves the keys to a text that stands in the editor until tab', async () => {
    await using screen = openScreen({ script: teller })
    await send(screen, 'go', ready)
    screen.type('half a mess')
    await screen.shows('tab to answer by choosing')
    screen.type(TAB)
    await screen.shows('❯ 1. Allow once')
    screen.type(ENTER)
    await screen.shows('It was allow: no words.')
    assert.match(screen.text(), /^ half a mess$/m)
  })

  it('takes a number after tab, too, though a text stands in the editor', async () => {
    await using screen = openScreen({ script: teller })
    await send(screen, 'go', ready)
    screen.type('half a mess')
    await screen.shows('tab to answer by choosing')
    screen.type(TAB)
    await screen.shows('❯ 1. Allow once')
    screen.type('1')
    await screen.shows('It was allow: no words.')
    assert.match(screen.text(), /^ half a mess$/m)
  })

  it('only marks what allows more than once', async () => {
    await using screen = openScreen({ script: teller })
    await send(screen, 'go', ready)
    screen.type('2')
    await screen.shows('❯ 2. Allow')
    assert.doesNotMatch(screen.text(), /It was/)
    screen.type(ENTER)
    await screen.shows('allow-for-session')
  })

  it('takes a no with words for the agent', async () => {
    await using screen = openScreen({ script: teller })
    await send(screen, 'go', ready)
    screen.type('4')
    await screen.shows('Why not, or what to do instead?')
    for (const key of 'use git log') screen.type(key)
    screen.type(ENTER)
    await screen.shows('It was deny: use git log.')
  })

  it('shows all answers and the path in forty columns and few lines', async () => {
    await using screen = openScreen({ script: talk, columns: 40, rows: 14 })
    await send(screen, 'edit', ready)
    const shown = screen.text()
    for (const part of ['write src/a.ts', '1. Allow once', '2. Allow writes in src/', '4. No, and'])
      assert.ok(shown.includes(part), `${part} in:\n${shown}`)
  })
})

describe('a question', () => {
  it('is answered by arrows, or by words of one’s own', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'ask', 'a number, or type')
    screen.type(DOWN)
    await screen.shows('❯ 2. blue')
    screen.type(ENTER)
    await screen.shows('It will be blue.')
    await send(screen, 'ask', 'a number, or type')
    for (const key of 'green') screen.type(key)
    screen.type(ENTER)
    await screen.shows('It will be green.')
  })
})

describe('a list that nobody asked for', () => {
  const newcomer = { welcomed: async () => false, answering: async () => unchosen }
  const unchosen = { kind: 'offline', name: 'offline', says: 'nobody', isChosen: false } as const

  it('gives way to a message that is typed, and no sign of it is lost', async () => {
    await using screen = openScreen({ script: talk, agents: newcomer })
    await screen.shows('Who shall answer?')
    for (const key of '2 fixes') screen.type(key)
    await screen.lacks('Who shall answer?')
    await screen.shows(/^ 2 fixes$/m)
  })

  it('does not come while a message is being written', async () => {
    const found = Promise.withResolvers<void>()
    const find = async () => {
      await found.promise
      return []
    }
    await using screen = openScreen({ script: talk, agents: { ...newcomer, find } })
    await screen.shows('while it works queues')
    screen.type('half a mess')
    found.resolve()
    await screen.drawn()
    screen.type(ENTER)
    await screen.shows('❯ half a mess')
  })
})

describe('escape', () => {
  it('cancels the turn whether it comes once or twice in one read', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'wait', 'Thinking aloud')
    screen.type('\x1b\x1b')
    await screen.shows('! cancelled')
    await screen.shows(idle)
    assert.doesNotMatch(screen.text(), /Go back to before/)
  })

  it('cancels when the next word comes in the same read, and the word is typed', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'wait', 'Thinking aloud')
    screen.type('\x1b/')
    screen.type('new')
    await screen.shows('! cancelled')
    await screen.shows(/^ \/new$/m)
  })

  it('leaves a list whether it comes once or twice in one read', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, '/theme', 'type to filter')
    screen.type('\x1b\x1b')
    await screen.shows(idle)
  })

  it('gives a message back that was not answered at all', async () => {
    async function* silent(_turn: Turn, signal: AbortSignal): AsyncGenerator<AgentItem> {
      yield* []
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    await using screen = openScreen({ script: silent })
    await send(screen, 'take this back', /❯ take this back[^]*esc cancels/)
    screen.type(ESCAPE)
    await screen.shows('! cancelled')
    await screen.shows(/^ take this back$/m)
  })
})
