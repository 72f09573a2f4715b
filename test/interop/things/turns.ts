/** What happens in a turn: tools of the client and of the agent, permissions, questions, hooks, streams, failures. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineTool, type SessionEvent, type ToolResultObject } from '@github/copilot-sdk'
import { z } from 'zod'
import { outcome, type Stage, type Things } from './thing.ts'

type Handler = () => unknown

const tool = (name: string, handler: Handler, more: object = {}) =>
  defineTool(name, { description: name, parameters: z.object({}), handler, ...more })

const lastMessages = ({ model }: Stage): unknown =>
  model.asked
    .at(-1)
    ?.messages.slice(-1)
    .map(({ role, content }) => [role, content])

const offered = ({ model }: Stage): readonly string[] =>
  (model.asked.at(-1)?.tools ?? []).map((each) => each.function.name)

/** The ends of tool calls, as front ends show them. */
const endsIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) =>
    event.type === 'tool.execution_complete'
      ? [[event.data.success, event.data.error?.code ?? 'none']]
      : [],
  )

export const turnThings: Things = {
  'a tool of the client': async (stage) => {
    const { client, config, model } = stage
    const issue = defineTool('lookup_issue', {
      description: 'Fetch issue details',
      parameters: z.object({ id: z.string() }),
      handler: ({ id }) => ({ id, title: 'broken' }),
    })
    const session = await client.createSession({ ...config, tools: [issue] })
    model.say({ tools: [['lookup_issue', { id: '7' }]] }, { text: 'it is broken' })
    const answer = await session.sendAndWait('look')
    return [answer?.data.content, lastMessages(stage), endsIn(await session.getEvents())]
  },
  'results of a client in full': async (stage) => {
    const { client, config, model } = stage
    const kinds = ['success', 'failure', 'rejected', 'denied', 'timeout'] as const
    const tools = kinds.map((resultType) =>
      tool(`t_${resultType}`, (): ToolResultObject => ({
        textResultForLlm: `for the model: ${resultType}`,
        resultType,
        ...(resultType === 'failure' && { error: 'the detail' }),
      })),
    )
    const session = await client.createSession({ ...config, tools })
    const seen: unknown[] = []
    for (const kind of kinds) {
      model.say({ tools: [[`t_${kind}`, {}]] }, { text: 'went on' })
      await outcome(session.sendAndWait('go'))
      const [end] = (await session.getEvents())
        .filter(({ type }) => type === 'tool.execution_complete')
        .slice(-1)
      const { success, error } = (end?.data ?? {}) as {
        success?: boolean
        error?: { code?: string }
      }
      seen.push([kind, success, error?.code ?? 'none'])
    }
    return seen
  },
  'a tool that throws': async (stage) => {
    const { client, config, model } = stage
    const boom = tool('boom', () => {
      throw new Error('SECRETDETAIL')
    })
    const session = await client.createSession({ ...config, tools: [boom] })
    model.say({ tools: [['boom', {}]] }, { text: 'went on' })
    const answer = await session.sendAndWait('go')
    const told = JSON.stringify(model.asked.at(-1)?.messages)
    return [answer?.data.content, told.includes('SECRETDETAIL')]
  },
  'two tools at once': async (stage) => {
    const { client, config, model } = stage
    let running = 0
    let most = 0
    const both = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 200))
      running--
      return 'ok'
    }
    const session = await client.createSession({
      ...config,
      tools: [tool('t1', both), tool('t2', both)],
    })
    model.say(
      {
        tools: [
          ['t1', {}],
          ['t2', {}],
        ],
      },
      { text: 'both' },
    )
    await session.sendAndWait('go')
    return most
  },
  'two shell calls at once': async (stage) => {
    const { client, config, model } = stage
    const session = await client.createSession(config)
    const command = 'date +%s%N; sleep 2; date +%s%N'
    model.say(
      {
        tools: [
          ['bash', { command, description: 'a', timeout: 20 }],
          ['bash', { command, description: 'b', timeout: 20 }],
        ],
      },
      { text: 'both' },
    )
    await session.sendAndWait('go')
    const [one, other] = (await session.getEvents()).flatMap((event) =>
      event.type === 'tool.execution_complete'
        ? [event.data.result?.content.match(/\d{18,}/g)?.map(BigInt) ?? []]
        : [],
    )
    const [begins = 0n, ends = 0n] = one ?? []
    return (other?.[0] ?? 0n) < ends && (other?.[1] ?? 0n) > begins
  },
  'permission is asked before each tool': async (stage) => {
    const { client, config, model, dir } = stage
    writeFileSync(join(dir, 'a.txt'), 'apple\n')
    const asked: unknown[] = []
    const session = await client.createSession({
      ...config,
      tools: [tool('mine', () => 'x'), tool('free', () => 'x', { skipPermission: true })],
      onPermissionRequest: (request) => {
        const { kind, toolName, fullCommandText, fileName, path } = request as Record<
          string,
          unknown
        > &
          typeof request
        asked.push({ kind, toolName, fullCommandText, fileName, path })
        return { kind: 'approve-once' }
      },
    })
    for (const call of [
      ['bash', { command: 'echo x', description: 'x' }],
      ['view', { path: join(dir, 'a.txt') }],
      ['create', { path: join(dir, 'b.txt'), file_text: 'b\n' }],
      ['edit', { path: join(dir, 'b.txt'), old_str: 'b', new_str: 'c' }],
      ['grep', { pattern: 'app', path: dir }],
      ['glob', { pattern: '*.txt', path: dir }],
      ['mine', {}],
      ['free', {}],
    ] as const) {
      model.say({ tools: [call] }, { text: 'ok' })
      await session.sendAndWait('go')
    }
    return asked
  },
  'a no ends the turn, a no with words does not': async (stage) => {
    const { client, config, model, dir } = stage
    const seen: unknown[] = []
    for (const answer of [
      { kind: 'reject' },
      { kind: 'reject', feedback: 'not here' },
      { kind: 'user-not-available' },
    ] as const) {
      const session = await client.createSession({ ...config, onPermissionRequest: () => answer })
      const before = model.asked.length
      model.say({ tools: [['create', { path: join(dir, 'x'), file_text: 'x' }]] }, { text: 'ok' })
      await outcome(session.sendAndWait('go'))
      const said = JSON.stringify(model.asked.at(-1)?.messages).includes('not here')
      model.reset()
      seen.push([model.asked.length - before, said])
    }
    return seen
  },
  'allowed for the session': async ({ client, config, model, dir }) => {
    let asked = 0
    const session = await client.createSession({
      ...config,
      onPermissionRequest: () => {
        asked++
        return { kind: 'approve-for-session', approval: { kind: 'write' } } as never
      },
    })
    for (const name of ['a', 'b']) {
      model.say({ tools: [['create', { path: join(dir, name), file_text: 'x' }]] }, { text: 'ok' })
      await session.sendAndWait('go')
    }
    return asked
  },
  'approve all, then ask again': async ({ client, config, model }) => {
    let asked = 0
    const session = await client.createSession({
      ...config,
      onPermissionRequest: () => {
        asked++
        return { kind: 'approve-once' }
      },
    })
    const run = async () => {
      model.say({ tools: [['bash', { command: 'echo 1', description: 'x' }]] }, { text: 'ok' })
      await session.sendAndWait('go')
    }
    const { permissions } = session.rpc
    const on = await permissions.setApproveAll({ enabled: true })
    await run()
    const off = await permissions.setApproveAll({ enabled: false })
    await run()
    return [on, off, asked]
  },
  'a stream': async ({ client, config, model }) => {
    const pieces: string[] = []
    const session = await client.createSession({ ...config, streaming: true })
    session.on('assistant.message_delta', (event) => void pieces.push(event.data.deltaContent))
    model.say({ pieces: ['Once ', 'upon ', 'a time'] })
    const answer = await session.sendAndWait('tell')
    return [pieces.join(''), answer?.data.content]
  },
  ask_user: async (stage) => {
    const { client, config, model } = stage
    const questions: unknown[] = []
    const session = await client.createSession({
      ...config,
      onUserInputRequest: ({ question, choices }) => {
        questions.push([question, choices])
        return { answer: 'blue', wasFreeform: false }
      },
    })
    model.say(
      { tools: [['ask_user', { question: 'Which?', choices: ['red', 'blue'] }]] },
      { text: 'ok' },
    )
    await session.sendAndWait('go')
    return [questions, JSON.stringify(model.asked.at(-1)?.messages.at(-1)).includes('blue')]
  },
  forms: async ({ client, config }) => {
    const session = await client.createSession({
      ...config,
      onElicitationRequest: () => ({
        action: 'accept',
        content: { confirmed: true, selection: 'b', value: 'n' },
      }),
    })
    return [
      session.capabilities.ui?.elicitation,
      await outcome(session.ui.confirm('Deploy?')),
      await outcome(session.ui.select('Pick', ['a', 'b'])),
      await outcome(session.ui.input('Name:')),
    ]
  },
  'commands of the client': async ({ client, config }) => {
    const ran: unknown[] = []
    const session = await client.createSession({
      ...config,
      commands: [
        {
          name: 'deploy',
          description: 'Deploys',
          handler: ({ commandName, args }) => void ran.push([commandName, args]),
        },
      ],
    })
    const { commands } = await session.rpc.commands.list()
    await outcome(session.rpc.commands.execute({ commandName: 'deploy', args: 'staging' }))
    return [ran, commands.filter(({ name }) => name === 'deploy').map(({ kind }) => kind)]
  },
  'hooks see and change': async (stage) => {
    const { client, config, model } = stage
    const seen: unknown[] = []
    const session = await client.createSession({
      ...config,
      tools: [tool('mine', () => 'result'), tool('other', () => 'never')],
      hooks: {
        onSessionStart: ({ source }) => void seen.push(['start', source]),
        onUserPromptSubmitted: ({ prompt }) => ({ modifiedPrompt: `${prompt}!` }),
        onPreToolUse: ({ toolName }) => {
          seen.push(['pre', toolName])
          return toolName === 'other'
            ? { permissionDecision: 'deny', permissionDecisionReason: 'no' }
            : { permissionDecision: 'allow', additionalContext: 'PRE' }
        },
        onPostToolUse: ({ toolName }) => {
          seen.push(['post', toolName])
          return { additionalContext: 'POST' }
        },
        onPostToolUseFailure: ({ toolName }) => void seen.push(['failed', toolName]),
        onAgentStop: ({ stopHookActive }) => {
          seen.push(['stop', stopHookActive])
          return stopHookActive ? undefined : { decision: 'block', reason: 'GO ON' }
        },
      },
    })
    model.say({ tools: [['mine', {}]] }, { tools: [['other', {}]] }, { text: 'a' }, { text: 'b' })
    await session.sendAndWait('hello')
    const told = JSON.stringify(model.asked.at(-1)?.messages)
    return [
      seen,
      model.asked.length,
      ['hello!', 'PRE', 'POST', 'GO ON'].map((word) => told.includes(word)),
    ]
  },
  'a provider that fails': async ({ client, config, model }) => {
    const errors: unknown[] = []
    const session = await client.createSession({
      ...config,
      onEvent: (event) => void (event.type === 'session.error' && errors.push(event.type)),
    })
    model.say({ status: 400, text: 'bad request' })
    const idle = new Promise((resolve) => session.on('session.idle', resolve))
    const first = await outcome(session.sendAndWait('go').then(() => 'ok'))
    await idle
    model.say({ text: 'well' })
    const second = await session.sendAndWait('again')
    return [first, errors.length, second?.data.content]
  },
  'abort, then go on': async ({ client, config, model }) => {
    const session = await client.createSession(config)
    const idle = new Promise((resolve) => session.on('session.idle', resolve))
    const started = new Promise((resolve) => session.on('tool.execution_start', resolve))
    model.say({ tools: [['bash', { command: 'sleep 30', description: 'x' }]] })
    await session.send('go')
    await started
    await session.abort()
    await idle
    model.say({ text: 'well' })
    const answer = await session.sendAndWait('again')
    const types = (await session.getEvents()).map(({ type }) => type)
    return [answer?.data.content, types.includes('abort')]
  },
  'messages that wait': async ({ client, config, model }) => {
    const session = await client.createSession(config)
    let release: (value?: unknown) => void = () => {}
    model.say(
      { text: 'one', after: new Promise((resolve) => (release = resolve)) },
      { text: 'two' },
    )
    const idle = new Promise((resolve) => session.on('session.idle', resolve))
    const started = new Promise((resolve) => session.on('assistant.turn_start', resolve))
    await session.send('first')
    await started
    await session.send({ prompt: 'second', mode: 'enqueue' })
    const { items } = await session.rpc.queue.pendingItems()
    release()
    await idle
    const said = (await session.getEvents()).flatMap((event) =>
      event.type === 'assistant.message' ? [event.data.content] : [],
    )
    return [items.map(({ displayText }) => displayText), said]
  },
  'grep with an expression, an image in view': async (stage) => {
    const { client, config, model, dir } = stage
    writeFileSync(join(dir, 'a.txt'), 'apple\nbanana\n')
    writeFileSync(join(dir, 'p.png'), Buffer.from(PIXEL, 'base64'))
    const session = await client.createSession(config)
    const seen: unknown[] = []
    for (const pattern of ['^ap', '^ap|foo', 'b(an)+a', '\\bapple\\b']) {
      model.say(
        { tools: [['grep', { pattern, path: dir, output_mode: 'content' }]] },
        { text: 'ok' },
      )
      await session.sendAndWait('go')
      seen.push(/apple|banana/.test(JSON.stringify(lastMessages(stage))))
    }
    model.say({ tools: [['view', { path: join(dir, 'p.png') }]] }, { text: 'ok' })
    await session.sendAndWait('go')
    const result = model.asked.at(-1)?.messages.findLast(({ role }) => role === 'tool')
    return [seen, JSON.stringify(result).includes('Viewed image file successfully.')]
  },
  'the tables of a session': async (stage) => {
    const { client, config, model } = stage
    const session = await client.createSession(config)
    const told: string[] = []
    session.on('session.todos_changed', ({ type }) => void told.push(type))
    const sql = (query: string) => ({ tools: [['sql', { query, description: 'q' }]] as const })
    model.say(sql("INSERT INTO todos (id, title, status) VALUES ('a', 'first', 'pending')"), {
      text: 'ok',
    })
    await session.sendAndWait('go')
    const { rows } = await session.rpc.plan.readSqlTodos()
    return [rows.map(({ id, title, status }) => [id, title, status]), told.length > 0]
  },
  'which tools the model has': async (stage) => {
    const { client, config, model } = stage
    const calc = {
      calc: { type: 'local' as const, command: process.execPath, args: [CALC], tools: ['*'] },
    }
    const seen: unknown[] = []
    for (const filter of [
      { availableTools: ['view', 'mcp:calc-echo'] },
      { availableTools: ['custom:*'], tools: [tool('mine', () => 'x')] },
      { excludedTools: ['bash', 'mcp:calc-echo'] },
    ]) {
      const session = await client.createSession({ ...config, mcpServers: calc, ...filter })
      model.say({ text: 'ok' })
      await session.sendAndWait('go')
      const names = offered(stage)
      seen.push(
        'availableTools' in filter
          ? names.toSorted()
          : [names.includes('bash'), names.includes('calc-echo'), names.includes('view')],
      )
      await session.disconnect()
    }
    return seen
  },
  'a tool server': async (stage) => {
    const { client, config, model } = stage
    const asked: unknown[] = []
    const session = await client.createSession({
      ...config,
      mcpServers: {
        calc: { type: 'local', command: process.execPath, args: [CALC], tools: ['*'] },
      },
      onPermissionRequest: (request) => {
        const { kind, serverName, toolName, args } = request as Record<string, unknown> &
          typeof request
        asked.push({ kind, serverName, toolName, args })
        return { kind: 'approve-once' }
      },
    })
    model.say({ tools: [['calc-echo', { text: 'x' }]] }, { text: 'three' })
    await session.sendAndWait('add')
    const { servers } = await session.rpc.mcp.list()
    const start = (await session.getEvents()).find(({ type }) => type === 'tool.execution_start')
    const { toolName, mcpServerName, mcpToolName } = (start?.data ?? {}) as Record<string, unknown>
    return [
      asked,
      JSON.stringify(model.asked.at(-1)?.messages).includes('arguments'),
      servers.map(({ name, status }) => [name, status]),
      { toolName, mcpServerName, mcpToolName },
    ]
  },
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const CALC = new URL('../../model-server/mcp-server.ts', import.meta.url).pathname
