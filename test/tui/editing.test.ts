/** Writing all day: what is given back, earlier messages, one's own editor, the clipboard; and errors that are told once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AgentItem } from '../../src/engine/agent.ts'
import { Unsent } from '../../src/engine/errors.ts'
import { say } from '../support/engine.ts'
import { sampleProject } from '../support/sample-project.ts'
import { memoryEngine, openScreen } from './screen.ts'
import { talk } from './script.ts'
import { send } from './views.ts'

const ENTER = '\r'
const [CTRL_R, CTRL_Y, CTRL_G, CTRL_Z] = ['\x12', '\x19', '\x07', '\x1a']
const idle = /commands · \? help/

describe('what /undo gives back', () => {
  it('makes way for /redo that is typed behind it, and for ctrl+y', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'first', /You said first[^]*commands/)
    await send(screen, '/undo', /^ first$/m)
    for (const key of '/redo') screen.type(key)
    screen.type(ENTER)
    await screen.shows('Redone: 1 turn came back.')
    await screen.shows('You said first')
    await send(screen, '/undo', /^ first$/m)
    screen.type(CTRL_Y)
    await screen.shows(/You said first[^]*Redone/)
  })

  it('is a text like any other once it was changed', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'first', /You said first[^]*commands/)
    await send(screen, '/undo', /^ first$/m)
    for (const key of 's/a') screen.type(key)
    await screen.shows(/^ firsts\/a$/m)
  })
})

describe('the editor', () => {
  it('finds an earlier message with ctrl+r', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'oil the gears', /You said oil[^]*commands/)
    await send(screen, 'paint the mill', /You said paint[^]*commands/)
    screen.type(CTRL_R)
    await screen.shows('Your messages, newest first')
    for (const key of 'gea') screen.type(key)
    await screen.shows('filter: gea')
    screen.type(ENTER)
    await screen.shows(/^ oil the gears$/m)
  })

  it('sends what is typed faster than completions are found', async () => {
    const listFiles = async (typed: string) =>
      typed === 'mi' ? ['src/mill.ts'] : new Promise<readonly string[]>(() => {})
    await using screen = openScreen({ script: talk, options: { listFiles } })
    await screen.shows(idle)
    for (const key of 'see @mi') screen.type(key)
    await screen.shows('→ src/mill.ts')
    for (const key of 'lk') screen.type(key)
    screen.type(ENTER)
    await screen.shows('You said see @milk')
  })

  it('takes the message from one’s own editor', async () => {
    await using screen = openScreen({ script: talk })
    await screen.shows(idle)
    screen.type('half')
    screen.type(CTRL_G)
    await screen.shows(/^ half written outside$/m)
  })

  it('lets the shell have the terminal with ctrl+z, also in a list', async () => {
    let stopped = 0
    const suspend = async () => void stopped++
    await using screen = openScreen({ script: talk, options: { suspend } })
    await send(screen, '/theme', 'type to filter')
    screen.type(CTRL_Z)
    screen.type('\x1b')
    await screen.shows(idle)
    assert.equal(stopped, 1)
  })

  it('copies the last answer, and the last program in it', async () => {
    await using screen = openScreen({ script: talk })
    await send(screen, 'code', /- two[^]*commands/)
    await send(screen, '/copy', 'Copied 11 lines.')
    await send(screen, '/copy code', 'Copied 2 lines.')
    const copied = screen.written.join('').split('\x1b]52;c;').slice(1)
    const texts = copied.map((each) =>
      Buffer.from(each.split('\x07', 1)[0] ?? '', 'base64').toString(),
    )
    assert.match(texts[0] ?? '', /^# Answer/)
    assert.equal(texts[1], '// counts\nconst n = 41 + 1')
  })
})

describe('an error', () => {
  it('is told once', async () => {
    async function* fails(): AsyncGenerator<AgentItem> {
      yield* []
      throw new Error('The bridge is out.')
    }
    await using screen = openScreen({ script: fails })
    await send(screen, 'go', /The bridge is out[^]*commands/)
    assert.equal(screen.text().match(/The bridge is out/g)?.length, 1)
  })
})

describe('an agent that cannot begin', () => {
  it('leaves no session behind, and the message comes back', async () => {
    let isBroken = true
    await using screen = openScreen({
      async *script() {
        if (isBroken) throw new Unsent('It could not be started. Nothing was sent.')
        yield say('Here I am.')
      },
    })
    await send(screen, 'hi', 'could not be started')
    await screen.shows(/^ hi$/m)
    assert.deepEqual(await screen.engine.list(), [])
    assert.deepEqual(await screen.engine.trash(), [])
    isBroken = false
    screen.type(ENTER)
    await screen.shows('Here I am.')
    isBroken = true
    await send(screen, 'once more', 'could not be started')
    assert.equal((await screen.engine.list()).length, 1, 'what was said before stays')
  })
})

describe('commands of files that are read while somebody types', () => {
  it('are offered for what was typed before', async () => {
    using project = sampleProject({ '.claude/commands/review-it.md': 'Look at everything' })
    const { promise: looked, resolve: look } = Promise.withResolvers<void>()
    const engine = memoryEngine(talk)
    const late: typeof engine = {
      ...engine,
      async project(cwd) {
        await looked
        return engine.project(cwd)
      },
    }
    const options = { cwd: project.root }
    await using screen = openScreen({ script: talk, engine: late, options })
    for (const key of '/rev') screen.type(key)
    await screen.shows(/^ \/rev$/m)
    look()
    await screen.shows(/review-it +Look at everything/)
  })
})
