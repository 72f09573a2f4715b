/** What `--plain` alone does: lines of a pipe wait for each other, and nothing that only an eye understands is printed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openLines } from './lines.ts'
import { memoryEngine } from './screen.ts'
import { talk } from './script.ts'
import { make } from './views.ts'

/** Gives all lines at once, as a file does, and what was printed when it has ended. */
async function pipe(lines: readonly string[], engine = memoryEngine(talk)): Promise<string> {
  await using plain = openLines({ script: talk, engine, isPiped: true })
  for (const line of lines) plain.type(line)
  plain.end()
  await plain.ended
  return plain.text()
}

const greeting = [
  'Reprise 1.0. Type a message; /help lists the commands, /exit leaves.',
  'Answering: copilot.',
  'No sessions yet: this will be the first.',
  '3 sessions of the Copilot CLI: reprise --home ~/.copilot opens them.',
]

const UNRECORDED = 'Changes of files in the project are not recorded here, so none was taken back.'

describe('lines of a pipe', () => {
  it('are done one after the other; what /undo gives back is not sent', async () => {
    const text = await pipe(['first', 'second', '/undo', 'third', '/rewind', 'third', 'yes'])
    assert.deepEqual(text.replace(/--resume \w+/, '--resume ID').split('\n'), [
      ...greeting,
      'You: first',
      'You said **first**.',
      'You: second',
      'You said **second**.',
      'Took back 1 turn. /redo brings it back.',
      UNRECORDED,
      'Your message was: second',
      'You: third',
      'You said **third**.',
      'Go back to before which message?',
      '1. third (turn 2 · 1h ago)',
      '2. first (turn 1 · 1h ago)',
      'A number chooses. An empty line leaves.',
      'Take back 1 turn? /redo brings it back.',
      'Yes or no?',
      'Took back 1 turn. /redo brings it back.',
      UNRECORDED,
      'Your message was: third',
      'reprise --resume ID goes on with this session',
      '',
    ])
  })

  it('never answer what the agent asks when they came before it was asked', async () => {
    const text = await pipe(['edit', 'yes'])
    assert.match(text, /Allow it\?[^]*Then not\.[^]*You: yes/)
  })

  it('answer what the agent asks when they come after it', async () => {
    await using plain = openLines({ script: talk, isPiped: true })
    plain.type('edit')
    await plain.shows('Allow it?')
    plain.type('yes')
    await plain.shows('Changed.')
    plain.type('/exit')
    await plain.ended
  })

  it('leave a list that they end in', async () => {
    const engine = memoryEngine(talk)
    await make(engine, ['fix the pump'])
    assert.match(await pipe(['/resume'], engine), /1\. fix the pump \(.*\)\n.*leaves\.\n$/)
  })
})

describe('/copy', () => {
  it('prints what no clipboard takes, and says so', async () => {
    const text = await pipe(['hello', '/copy'])
    const none = 'No clipboard can be reached from here; the text stands above (1 line).'
    assert.ok(text.includes(`You said **hello**.\nYou said **hello**.\n${none}\n`), text)
    assert.doesNotMatch(text, /Copied/)
  })
})

describe('a newcomer', () => {
  it('is greeted once and shown around, and a message leaves the list of agents', async () => {
    const unchosen = { kind: 'offline', name: 'offline', says: 'nobody', isChosen: false } as const
    await using plain = openLines({
      script: talk,
      agents: { welcomed: async () => false, answering: async () => unchosen },
    })
    await plain.shows('An empty line, or a message, leaves.')
    assert.equal(plain.text().match(/No sessions yet/g)?.length, 1)
    assert.match(plain.text(), /\/undo takes turns back with their files/)
    plain.type('fix the pump')
    await plain.shows('You said **fix the pump**.')
    assert.doesNotMatch(plain.text(), /You: fix the pump/)
  })
})

describe('a line', () => {
  it('that is no answer is said to be none, and what was asked is asked again', async () => {
    await using plain = openLines({ script: talk })
    await plain.shows(/> $/)
    plain.type('edit')
    await plain.shows('Allow it?')
    plain.type('maybe')
    await plain.shows(/"maybe" is no answer to this\.\n[^]*Allow it\?/)
    plain.type('/mode')
    await plain.shows(/1\. interactive[^]*3\. autopilot/)
    plain.type('7')
    await plain.shows(/"7" is no answer to this\.\n[^]*1\. interactive/)
    plain.type('')
    await plain.shows('Allow it?')
    plain.type('a')
    await plain.shows('Changed.')
  })

  it('of a tool that a rule allows is not asked about', async () => {
    await using plain = openLines({ script: talk })
    await plain.shows(/> $/)
    plain.type('edit')
    await plain.shows('Allow it?')
    plain.type('always')
    await plain.shows(/Changed\.\n> $/)
    plain.type('edit')
    await plain.shows(/Changed\.\n> $/)
    assert.equal(plain.text().split('Allow it?').length, 2)
  })

  it('holds no sign of the screen and no control sequence of others', async () => {
    await using plain = openLines({ script: talk })
    await plain.shows(/> $/)
    plain.type('evil')
    await plain.shows('click')
    plain.type('/context')
    await plain.shows('makes room')
    for (const bad of ['\x1b', '\u009b', '\u202e', '█', '✓'])
      assert.ok(!plain.text().includes(bad), JSON.stringify(bad))
  })

  it('is awaited no more when ctrl+c finds nothing to interrupt', async () => {
    await using plain = openLines({ script: talk })
    await plain.shows(/> $/)
    plain.type('/mode')
    await plain.shows('autopilot')
    assert.equal(plain.interrupt(), true)
    await plain.shows(/Left\.\n> $/)
    assert.equal(plain.interrupt(), false)
  })
})
