/** A model behind a real terminal: what was said stays, what goes on is seen, and both by all who look. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startModelServer, type Script } from '../model-server/server.ts'
import { idle, openDesk, skip } from './tmux.ts'

const never = new Promise<never>(() => {})

async function openModel(script: Script) {
  const server = await startModelServer(script)
  const desk = openDesk()
  const env = {
    REPRISE_AGENT: 'model',
    REPRISE_MODEL: 'm1',
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: server.baseUrl,
  }
  return {
    desk,
    server,
    open: (args?: readonly string[]) => desk.open(args, { env }),
    ready: (args?: readonly string[]) => desk.ready(args, { env }),
    /** In the log, or beside it while it is still being said. */
    isKept(words: string) {
      const folder = join(desk.home, 'session-state')
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      return files.some(
        (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(words),
      )
    },
    async [Symbol.asyncDispose]() {
      desk[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('an answer', { skip }, () => {
  it('stays on the screen and in the log when it is cancelled or killed, and the model knows it', async () => {
    await using at = await openModel(({ index }) =>
      index === 1 ? { text: 'second answer' } : { text: `part ${index} of it`, until: never },
    )
    const window = at.open()
    await window.shows(/m1 · interactive/)
    window.enter('go')
    await window.shows('part 0 of it')
    window.press('Escape', 'Escape')
    await window.shows('! cancelled')
    await window.shows(/part 0 of it[^]*commands · \? help/)
    assert.ok(at.isKept('part 0 of it'))
    window.press('C-u')
    window.enter('again')
    await window.shows('second answer')
    assert.match(at.server.requests[1]?.raw ?? '', /part 0 of it/)
    await window.shows(idle)
    window.enter('third')
    await window.shows('part 2 of it')
    await window.until(() => at.isKept('part 2 of it'))
    window.kill('SIGKILL')
    const back = at.open(['--continue'])
    await back.shows('part 2 of it')
  })

  it('that never came because of a kill is missed in words', async () => {
    await using at = await openModel(({ index }) =>
      index === 0 ? { text: '', until: never } : { text: 'at last' },
    )
    const window = await at.ready()
    window.enter('go')
    await window.until(() => at.server.requests.length === 1)
    window.kill('SIGKILL')
    const back = at.open(['--continue'])
    await back.shows(
      /❯ go\n[^]*Reprise ended before this turn did\. \/retry sends the message again\./,
    )
    await back.shows(idle)
    await back.says('/retry', 'at last')
  })

  it('that broke stays, is asked for again by itself, and no error is told of it', async () => {
    await using at = await openModel([
      { text: ['half ', 'of ', 'it'], paceMs: 100, cut: 'broken' },
      { text: 'all of it' },
    ])
    const window = await at.ready()
    await window.says('go', /half[^]*the connection broke here; it was asked again[^]*all of it/)
    assert.doesNotMatch(window.text(), /✗|Failed to process|refused the request/)
  })

  it('is seen as it comes by another terminal, with what it thought behind ctrl+o', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    await using at = await openModel([
      { text: 'hello' },
      { reasoning: 'a deep thought', text: 'live words', until: end },
    ])
    const window = await at.ready()
    await window.says('first', 'hello')
    const other = at.open(['--continue'])
    await other.shows('hello')
    window.enter('second')
    await other.shows('live words')
    await other.shows(/another terminal is at work here: answering… · \d+ s/)
    await window.shows(/answering… · \d+ s/)
    resolve()
    await window.shows(idle)
    await other.shows(idle)
    window.press('C-o')
    await window.shows('a deep thought')
  })
})

describe('a message', { skip }, () => {
  it('has the lines of a file that it names, and a question is answered by arrows', async () => {
    const question = { question: 'Which colour?', choices: ['red', 'green'] }
    await using at = await openModel([
      { calls: [{ name: 'ask_user', arguments: question }] },
      { text: 'as you like it' },
    ])
    writeFileSync(join(at.desk.project, 'made.txt'), 'zero\nsecret sauce\ntwo\n')
    const window = await at.ready()
    window.enter('look at @made.txt:2-2 please')
    await window.shows(/Which colour\?[^]*1\. red[^]*2\. green/)
    assert.match(at.server.requests[0]?.raw ?? '', /secret sauce/)
    assert.doesNotMatch(window.text(), /"choices"/)
    // Keys are taken once nobody has typed for half a second, so it may be pressed once too often.
    await window.until(() => {
      window.press('Down')
      return window.text().includes('❯ 2. green')
    })
    window.press('Enter')
    await window.shows('as you like it')
    assert.match(at.server.requests[1]?.raw ?? '', /The user answered: (?:red|green)/)
    await window.shows(idle)
    window.enter('/context')
    await window.shows(/definitions +█+ +[\d.]+k/)
  })

  it('that cannot be done in plan mode says how to allow it, and autopilot never speaks as its user', async () => {
    await using at = await openModel([
      { calls: [{ name: 'bash', arguments: { command: 'echo x > x.txt' } }] },
      { text: 'as you wish' },
      { text: 'a part of it' },
      { calls: [{ name: 'task_complete', arguments: { summary: 'all of it' } }] },
    ])
    const window = at.open(['--plan'])
    await window.shows(/m1 · plan/)
    window.enter('go')
    await window.shows('as you wish')
    // Once, by the call that did not run.
    assert.match(
      window.text(),
      /✗ bash echo x > x\.txt\n +│ Blocked: plan mode is read-only\. \/mode interactive allows edits\.\n\nas you wish/,
    )
    window.enter('/mode autopilot')
    await window.shows(/m1 · autopilot/)
    window.enter('all')
    await window.shows(/❯ all\n\na part of it\n\n· autopilot went on\n/)
    await window.shows(idle)
  })
})
