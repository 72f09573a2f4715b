/**
 * An agent of ours as a real program, over NDJSON on stdio: it does what its prompts and its arguments say, well or
 * badly. A prompt holds orders such as `<<say hello>>`; without one it echoes. What it was told in a session is kept
 * under $HOME, so that another process may load it.
 *
 * Arguments: --can a,b,c (load, resume, close, fork, systemPrompt, embedded, models, modes, options, model-option, commands, version-2) and --lie about a,b
 * (load-other: replays something else, load-nothing: replays nothing, forgets: keeps no embedded resource, stale: goes
 * on with what it has in memory after it loaded a session again, version: speaks another protocol,
 * hang: never answers initialize, no-login: wants a login) and --die-at-start <file> <n>: dies while the file has
 * fewer than n bytes, adding one each time.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { RpcFailure } from '../../src/lib/json-rpc/failure.ts'
import { lines } from '../../src/lib/json-rpc/lines.ts'
import { openPeer } from '../../src/lib/json-rpc/peer.ts'
import { fieldsOf, textIn, type Fields } from '../../src/lib/fields.ts'
import { orders, type Remembered } from './orders.ts'
import { inSecondVersion } from './second-version.ts'

const option = (name: string) => {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}
const can = new Set(option('--can')?.split(','))
const lies = new Set(option('--lie')?.split(','))

const counter = option('--die-at-start')
if (counter !== undefined) {
  const times = existsSync(counter) ? readFileSync(counter).length : 0
  if (times < Number(process.argv[process.argv.indexOf('--die-at-start') + 2])) {
    appendFileSync(counter, 'x')
    process.stderr.write('I do not feel well.\n')
    process.exit(3)
  }
}

const folder = join(homedir(), '.scripted-agent')
const sessions = new Map<string, Remembered>()
const cancelled = new Map<string, AbortController>()

const fileOf = (id: string) => join(folder, `${id}.json`)

function keep(session: Remembered): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(session.id), JSON.stringify(session))
}

function found(params: Fields): Remembered {
  const id = textIn(params, 'sessionId') ?? ''
  if (!existsSync(fileOf(id))) throw new RpcFailure(-32002, `Resource not found: ${id}`)
  const session = JSON.parse(readFileSync(fileOf(id), 'utf8')) as Remembered
  if (!lies.has('stale') || !sessions.has(id)) sessions.set(id, session)
  return session
}

const connection = openPeer({ input: process.stdin, output: process.stdout }, lines, {
  request: (method, params) => answer(method, fieldsOf(params)),
  notification(method, params) {
    if (method === 'session/cancel')
      cancelled.get(textIn(fieldsOf(params), 'sessionId') ?? '')?.abort()
  },
  odd: () => {},
})
void connection.ended.then(() => process.exit(0))

const notify = (sessionId: string, content: Fields) =>
  connection.notify('session/update', { sessionId, update: content })
const second = can.has('version-2') ? inSecondVersion(() => methods, notify) : undefined
const update = second?.update ?? notify

const methods: Readonly<Record<string, (params: Fields) => Promise<Fields> | Fields>> = {
  initialize: () => {
    if (lies.has('hang')) return new Promise<Fields>(() => {})
    const has = (name: string) => (can.has(name) ? { [name]: {} } : {})
    return {
      protocolVersion: lies.has('version') ? 9 : 1,
      agentInfo: { name: 'scripted', title: 'Scripted agent', version: '1.2.3' },
      agentCapabilities: {
        loadSession: can.has('load'),
        promptCapabilities: { embeddedContext: can.has('embedded') },
        sessionCapabilities: {
          ...has('resume'),
          ...has('close'),
          ...has('fork'),
          ...has('systemPrompt'),
        },
        _meta: { scripted: { odd: true } },
      },
      authMethods: [{ id: 'card', name: 'Library card', description: 'Ask at the desk' }],
    }
  },
  'session/new': (params) => {
    if (lies.has('no-login')) throw new RpcFailure(-32000, 'Authentication required')
    const id = crypto.randomUUID()
    const told = fieldsOf(params['systemPrompt'])['content']
    const session: Remembered = {
      id,
      heard: [],
      said: [],
      system: told === undefined ? '' : JSON.stringify(told),
    }
    sessions.set(id, session)
    keep(session)
    if (can.has('commands'))
      setImmediate(() =>
        update(id, { sessionUpdate: 'available_commands_update', availableCommands }),
      )
    return { sessionId: id, ...offers() }
  },
  'session/resume': (params) => {
    const session = found(params)
    if (params['systemPrompt'] === undefined) session.system = ''
    return offers()
  },
  'session/load': (params) => {
    const session = found(params)
    if (lies.has('load-nothing')) return offers()
    const replay = () =>
      session.heard.forEach((asked, index) => {
        const answered = lies.has('load-other') ? 'I never said that.' : session.said[index]
        update(session.id, {
          sessionUpdate: 'user_message_chunk',
          content: { type: 'text', text: asked },
        })
        update(session.id, {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: answered },
        })
      })
    if (lies.has('load-late')) setTimeout(replay, 20)
    else replay()
    return offers()
  },
  'session/fork': (params) => {
    const source = found(params)
    const air = fieldsOf(fieldsOf(fieldsOf(params['_meta'])['jetbrains'])['air'])
    const at = textIn(fieldsOf(air['fork']), 'messageId')
    const end = at === undefined ? source.heard.length : Number(at.slice(1)) + 1
    const fork = { ...source, id: crypto.randomUUID() }
    fork.heard = source.heard.slice(0, end)
    fork.said = source.said.slice(0, end)
    sessions.set(fork.id, fork)
    keep(fork)
    return { sessionId: fork.id, ...offers() }
  },
  'session/close': () => ({}),
  authenticate: () => ({}),
  'session/set_config_option': (params) => {
    const value = textIn(params, 'value') ?? ''
    const isModel = params['configId'] === 'model'
    if (isModel) model = value
    // Each model begins with an effort of its own.
    effort = isModel ? 'low' : value
    return { configOptions: configOptions() }
  },
  'session/set_model': () => ({}),
  'session/set_mode': () => ({}),
  async 'session/prompt'(params) {
    const session = sessions.get(textIn(params, 'sessionId') ?? '')
    if (session === undefined) throw new RpcFailure(-32602, 'No such session is loaded.')
    const controller = new AbortController()
    cancelled.set(session.id, controller)
    const prompt = Array.isArray(params['prompt']) ? params['prompt'].map(fieldsOf) : []
    const asked = prompt.map(
      (block) => textIn(block, 'text') ?? textIn(fieldsOf(block['resource']), 'text') ?? '',
    )
    const kept = lies.has('forgets')
      ? prompt.flatMap((block) => textIn(block, 'text') ?? [])
      : asked
    session.heard.push(kept.join('\n'))
    session.said.push('')
    keep(session)
    const say = (text: string) => {
      session.said[session.said.length - 1] += text
      keep(session)
      const messageId = `m${session.said.length - 1}`
      const content = { type: 'text', text }
      update(session.id, { sessionUpdate: 'agent_message_chunk', content, messageId })
    }
    const result = await orders(asked.at(-1) ?? '', {
      session,
      signal: controller.signal,
      say,
      update: (content) => update(session.id, content),
      request: (method, more) => {
        const params = { sessionId: session.id, ...more }
        const [asked, inItsWords] = second?.request(method, params) ?? [method, params]
        return connection.request(asked, inItsWords)
      },
      write: (line) => void process.stdout.write(line),
      flushed: connection.flushed,
    })
    return { stopReason: controller.signal.aborted ? 'cancelled' : 'end_turn', ...result }
  },
}

const availableCommands = [
  { name: 'review', description: 'Reviews what was done', input: { hint: 'what to look at' } },
]

let effort = 'low'
let model = 'small'
const configOptions = (): Fields[] => [
  ...(can.has('model-option')
    ? [
        {
          id: 'model',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: model,
          options: ['small', 'large'].map((value) => ({ value, name: value })),
        },
      ]
    : []),
  {
    id: 'effort',
    name: 'Effort',
    category: 'thought_level',
    type: 'select',
    currentValue: effort,
    options: ['low', 'high'].map((value) => ({ value, name: value })),
  },
]

function offers(): Fields {
  const availableModels = [{ modelId: 'small' }, { modelId: 'large' }]
  return {
    ...(can.has('models') && { models: { currentModelId: 'small', availableModels } }),
    ...(can.has('options') && { configOptions: configOptions() }),
    ...(can.has('modes') && {
      modes: { currentModeId: 'build', availableModes: [{ id: 'build' }, { id: 'plan' }] },
    }),
  }
}

async function answer(method: string, params: Fields): Promise<Fields> {
  const serve = (second?.methods ?? methods)[method]
  if (serve === undefined) throw new RpcFailure(-32601, `Method not found: ${method}`)
  const trace = process.env['SCRIPTED_TRACE']
  if (trace !== undefined) appendFileSync(trace, `${JSON.stringify({ method, params })}\n`)
  return serve(params)
}
