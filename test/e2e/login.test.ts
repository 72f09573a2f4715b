/** An agent that wants its user to log in first: said in words, done by /login, through the real program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDesk, skip } from './tmux.ts'

/** Speaks the protocol, and opens no session before somebody has logged in. */
const AGENT = `
import { createInterface } from 'node:readline'
import { existsSync, writeFileSync } from 'node:fs'
const mark = process.argv[2]
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const methods = [
  { id: 'browser', name: 'In the browser', description: 'opens a page' },
  { id: 'program', name: 'In this terminal', type: 'terminal',
    _meta: { 'terminal-auth': { command: '/bin/sh', args: ['-c', 'echo Name?; read name; echo $name > "$0"', mark] } } },
]
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize')
    return send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: methods } })
  if (method === 'authenticate') {
    writeFileSync(mark, params.methodId)
    return send({ id, result: {} })
  }
  if (!existsSync(mark)) return send({ id, error: { code: -32000, message: 'Authentication required' } })
  if (method === 'session/new') return send({ id, result: { sessionId: 's1' } })
  if (method === 'session/prompt') {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'You are in.' } }
    send({ method: 'session/update', params: { sessionId: 's1', update } })
    return send({ id, result: { stopReason: 'end_turn' } })
  }
  send({ id, result: {} })
})
`

describe('/login', { skip }, () => {
  for (const [number, way] of [
    [1, 'In the browser'],
    [2, 'In this terminal'],
  ] as const)
    it(`logs in to the agent that answers: ${way}`, async () => {
      using desk = openDesk()
      const program = join(desk.project, 'agent.mjs')
      const mark = join(desk.project, 'logged-in')
      writeFileSync(program, AGENT)
      const window = await desk.ready(['--agent', `node ${program} ${mark}`])
      await window.says('hello', 'wants you to log in first: /login')
      window.enter('/login')
      await window.shows(/1?.*In the browser +opens a page[^]*In this terminal/)
      window.press(String(number))
      if (number === 2) {
        await window.shows('Name?')
        window.enter('ada')
      }
      await window.shows(/Logged in to .*: In /)
      window.enter('hello again')
      await window.shows('You are in.')
    })
})
