/** What people read in a day at the terminal, one text after another in one program; and what stays true of it. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makePlace } from './cli.ts'
import { idle, openDesk, skip, type Window } from './tmux.ts'

/** No agent and no key of this machine is found. */
const alone = {
  PATH: '/usr/bin:/bin',
  OPENAI_API_KEY: '',
  ANTHROPIC_API_KEY: '',
  OLLAMA_HOST: '127.0.0.1:9',
}

/** What is asked takes keys once nobody has typed for a moment. */
async function answers(window: Window, ...keys: readonly string[]): Promise<void> {
  await window.shows('enter, or a number')
  window.press(...keys)
}

describe('a day at the terminal', { skip }, () => {
  it('says who did what, what is untouched and what to do next', async () => {
    using desk = openDesk()
    const window = await desk.ready([], { env: alone })
    window.resize(100, 50)
    await window.shows('No model yet. Type /agent to connect one, or set ANTHROPIC_API_KEY.')
    await window.says('fix the bug', /No model is connected[^]*Your message is kept/)
    assert.match(window.text(), /Offline I run simple commands: run npm test, read FILE/)
    await window.says('/agent claude', /Claude Code is not installed\. Install: npm i -g \S+/)
    window.enter('run seq 1 3')
    await window.shows(/2\. Allow exactly this command until you quit\n +3\. No\n/)
    await answers(window, '3')
    await window.shows(/✗ bash seq 1 3\n +│ You said no\.\n/)
    await window.shows(idle)
    window.enter('run echo out; sleep 600')
    await answers(window, '1')
    await window.shows(/● bash echo out; sleep 600\n +│ out\n/)
    window.press('Escape')
    await window.shows(/│ out\n +│ Stopped by you after \d+ s \(output above\)\./)
    await window.shows(idle)
    window.enter('/exit')
    await window.ends()
    const next = desk.open([], { env: alone })
    await next.shows('1 session, in this project. ctrl+p opens one.')
  })

  it('allows what was said until that is taken back, and keeps the order of typing', async () => {
    using desk = openDesk()
    const window = await desk.ready()
    window.resize(100, 50)
    window.enter('run seq 1 3')
    await answers(window, '2', 'Enter')
    await window.shows(idle)
    await window.says('run seq 1 3', /✓ bash seq 1 3[^]*✓ bash seq 1 3/)
    await window.says('/permissions', /Allowed by you[^]*- 1: exactly seq 1 3|exactly `seq 1 3`/)
    await window.says('/permissions ask', 'The agent asks you before it runs or writes anything.')
    window.enter('run seq 1 3')
    await window.shows('1. Allow once')
    // The turn waits for its answer: what is typed meanwhile is done behind it, in this order.
    window.enter('read a.txt')
    window.enter('!echo my own')
    window.enter('history')
    await window.shows('Queued (2): “read a.txt”, “history” · ↑ edits the last · /queue')
    await answers(window, '1')
    await window.shows(/❯ read a\.txt\n[^]*✓ ! echo my own\n[^]*❯ history\n[^]*You asked/)
  })
})

/** Speaks the protocol, and asks nobody. */
const OWN_RULES = `#!/usr/bin/env node
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  if (method === 'initialize') return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  if (method === 'session/new') return send({ id, result: { sessionId: 's1' } })
  const content = { type: 'text', text: 'Written, unasked.' }
  if (method === 'session/prompt')
    send({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content } } })
  if (id !== undefined) send({ id, result: method === 'session/prompt' ? { stopReason: 'end_turn' } : {} })
})
`

describe('an agent that asks by its own rules', { skip }, () => {
  it('is said to when it begins', async () => {
    using desk = openDesk()
    const folder = join(desk.home, '..', 'bin')
    mkdirSync(folder)
    writeFileSync(join(folder, 'opencode'), OWN_RULES)
    chmodSync(join(folder, 'opencode'), 0o755)
    const env = { PATH: `${folder}:${process.env['PATH']}` }
    const window = await desk.ready(['--agent', 'opencode'], { env })
    await window.shows(/opencode · interactive/)
    window.enter('write something')
    await window.shows('Written, unasked.')
    assert.match(window.text().replace(/\s+/g, ' '), /It asks by its own rules/)
  })
})

describe('a run without a terminal', () => {
  it('tells what a tool says while it runs, and ends with a number when it was refused', async () => {
    using place = makePlace()
    const held = 'run echo first; until [ -e go ]; do sleep 0.05; done; echo second'
    const child = place.start(['-p', held, '--allow-all'])
    let told = ''
    const seen = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part) => {
        told += String(part)
        if (/^\W*first$/m.test(told)) seen.resolve()
      })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await seen.promise
    assert.doesNotMatch(told, /^\W*second$/m)
    writeFileSync(join(place.project, 'go'), '')
    assert.equal(await ended, 0)
    const refused = await place.run(['-p', 'run ls'])
    assert.equal(refused.code, 10)
    assert.match(refused.stderr, /refused run ls \(nobody to ask; --allow-all allows it\)/)
    const looked = await place.run(['doctor'])
    assert.match(
      looked.stdout,
      /board +notes that new sessions are given; a second copy is in the store/,
    )
  })
})
