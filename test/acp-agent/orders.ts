/** What the scripted agent can be told to do in a prompt: `<<name argument>>`, one after the other. */
import type { Fields } from '../../src/lib/fields.ts'

/** A session as the agent itself remembers it. */
export type Remembered = {
  readonly id: string
  readonly heard: string[]
  readonly said: string[]
  system: string
}

export type Doing = {
  readonly session: Remembered
  readonly signal: AbortSignal
  say(text: string): void
  update(content: Fields): void
  request(method: string, params: Fields): Promise<unknown>
  write(line: string): void
  flushed(): Promise<void>
}

type Order = (doing: Doing, argument: string) => Promise<Fields | void> | Fields | void

export async function orders(prompt: string, doing: Doing): Promise<Fields> {
  const found = [...prompt.matchAll(/<<([a-z-]+) ?(.*?)>>/gs)]
  if (found.length === 0) doing.say(`echo: ${prompt}`)
  let result: Fields = {}
  for (const [, name = '', argument = ''] of found) {
    const order = known[name]
    if (order === undefined) throw new Error(`No order ${name}`)
    result = { ...result, ...(await order(doing, argument)) }
  }
  return result
}

const tool = (toolCallId: string, fields: Fields): Fields => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  ...fields,
})
const change = (toolCallId: string, fields: Fields): Fields => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  ...fields,
})
const text = (said: string): Fields => ({ type: 'content', content: { type: 'text', text: said } })

const known: Readonly<Record<string, Order>> = {
  say: ({ say }, words) => {
    for (const word of words.match(/\S+\s*/g) ?? []) say(word)
  },
  think: ({ update }, said) =>
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: said } }),
  /** Says everything that it knows of the conversation. */
  recall: ({ session, say }) =>
    say(
      JSON.stringify([
        session.system,
        ...session.heard.slice(0, -1),
        ...session.heard.slice(-1).map((all) => all.slice(0, all.lastIndexOf('<<recall'))),
      ]),
    ),
  pid: ({ say }) => say(`pid ${process.pid}`),
  async crash({ flushed }) {
    await flushed()
    process.kill(process.pid, 'SIGKILL')
  },
  fail: () => {
    throw new Error('The model is on holiday.')
  },
  /** Goes on until it is cancelled. */
  wait: ({ signal }) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve())
    }),
  /** Goes on, cancelled or not. */
  deaf: () => new Promise(() => {}),
  stop: (_doing, stopReason) => ({ stopReason }),
  use: (_doing, amounts) => {
    const [inputTokens, outputTokens] = amounts.split(' ').map(Number)
    return { usage: { inputTokens, outputTokens, totalTokens: 0 } }
  },
  /** All that the session cost until now. */
  cost: ({ update }, dollars) =>
    update({
      sessionUpdate: 'usage_update',
      used: 1,
      size: 100,
      cost: { amount: Number(dollars), currency: 'USD' },
    }),
  malformed: ({ write }, line) => write(`${line}\n`),
  huge: ({ update }, size) => {
    update(tool('big', { title: 'Big', kind: 'read', rawInput: { path: 'big' } }))
    const content = [text('x'.repeat(Number(size)))]
    update(change('big', { status: 'completed', content }))
  },
  update: ({ update }, json) => update(JSON.parse(json) as Fields),
  edit: ({ update }, path) => {
    update(
      tool('call-1', {
        title: `Edit ${path}`,
        kind: 'edit',
        status: 'pending',
        rawInput: { cwd: '/' },
      }),
    )
    update(change('call-1', { status: 'in_progress', rawInput: { path }, odd: 'kept' }))
    const content = [{ type: 'diff', path, oldText: 'one\n', newText: 'two\n' }]
    update(change('call-1', { status: 'completed', content, rawOutput: { ok: true, more: [1] } }))
  },
  async permission({ update, request, say }, command) {
    const call = {
      toolCallId: 'call-1',
      title: `Run ${command}`,
      kind: 'execute',
      rawInput: { command },
    }
    update(tool('call-1', { ...call, status: 'pending' }))
    const answer = await request('session/request_permission', {
      toolCall: call,
      options: [
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'once', name: 'Once', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    })
    say(JSON.stringify(answer))
    const isAllowed = JSON.stringify(answer).includes('once')
    update(
      change('call-1', {
        status: isAllowed ? 'completed' : 'failed',
        content: [text(isAllowed ? 'ran' : 'not run')],
      }),
    )
  },
  /** Puts a plan forward, in words of its own: in the question, in the call before it, or shown beside it. */
  'end-plan': async ({ request, say, update }, where) => {
    const rawInput = { plan: 'Do it.' }
    if (where === 'before')
      update(tool('plan-1', { title: 'Plan', kind: 'switch_mode', rawInput, status: 'pending' }))
    const asked = request('session/request_permission', {
      toolCall: {
        toolCallId: 'plan-1',
        title: 'Ready to code?',
        name: 'ExitPlanMode',
        kind: 'switch_mode',
        rawInput: where === '' ? rawInput : {},
        ...(where === 'beside' && { content: [text('Do it.')] }),
      },
      options: [
        { optionId: 'carefully', name: 'Yes, and ask for edits', kind: 'allow_once' },
        { optionId: 'freely', name: 'Yes, and do not ask', kind: 'allow_always' },
        { optionId: 'stay', name: 'No, keep planning', kind: 'reject_once' },
      ],
    })
    if (where === 'after')
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'plan-1', rawInput })
    say(JSON.stringify(await asked))
  },
  /** Runs something in a terminal of its own, and tells what it writes as Zed has it. */
  'own-terminal': async ({ update }) => {
    const terminal_id = 'own-1'
    const rawInput = { command: 'count' }
    const content = [{ type: 'terminal', terminalId: terminal_id }]
    update({ ...change('call-t', { status: 'in_progress', kind: 'execute', rawInput, content }) })
    for (const data of ['one\n', 'two\n'])
      update(change('call-t', { _meta: { terminal_output_delta: { data, terminal_id } } }))
    update(change('call-t', { _meta: { odd: { kept: true } } }))
    const terminal_exit = { exit_code: 3, signal: null, terminal_id }
    update(change('call-t', { status: 'completed', _meta: { terminal_exit } }))
  },
  /** Asks for a change by its diff, then makes it, then makes it once more. */
  async shown({ request, say }, argument) {
    const [path = '', oldText = '', newText = '', content = ''] = argument.split('|')
    const toolCall = {
      toolCallId: 's',
      title: 'Edit',
      kind: 'edit',
      content: [{ type: 'diff', path, oldText, newText }],
    }
    const options = [{ optionId: 'once', name: 'Once', kind: 'allow_once' }]
    await request('session/request_permission', { toolCall, options })
    for (const text of [content, `${content}!`]) {
      const params = { path, content: text }
      say(
        await request('fs/write_text_file', params).then(
          () => 'ok ',
          () => 'no ',
        ),
      )
    }
  },
  async read({ request, say }, path) {
    const answer = await request('fs/read_text_file', { path }).catch((error: Error) => ({
      error: error.message,
    }))
    say(JSON.stringify(answer))
  },
  async write({ update, request, say }, argument) {
    const [path = '', content = ''] = argument.split('|')
    update(
      tool('w', {
        title: `Write ${path}`,
        kind: 'edit',
        status: 'in_progress',
        rawInput: { path },
      }),
    )
    const answer = await request('fs/write_text_file', { path, content }).catch((error: Error) => ({
      error: error.message,
    }))
    const failed = JSON.stringify(answer).includes('error')
    update(change('w', { status: failed ? 'failed' : 'completed' }))
    say(JSON.stringify(answer))
  },
  async terminal({ update, request, say }, command) {
    update(
      tool('t', { title: command, kind: 'execute', status: 'in_progress', rawInput: { command } }),
    )
    const { terminalId, error } = (await request('terminal/create', { command }).catch(
      (refused: Error) => ({
        error: refused.message,
      }),
    )) as Record<string, string>
    if (error !== undefined) {
      update(change('t', { status: 'failed', content: [text(error)] }))
      return say(error)
    }
    const exit = await request('terminal/wait_for_exit', { terminalId })
    const output = await request('terminal/output', { terminalId })
    await request('terminal/release', { terminalId })
    update(change('t', { status: 'completed', content: [{ type: 'terminal', terminalId }] }))
    say(JSON.stringify({ exit, output }))
  },
  async ask({ request, say }, message) {
    const requestedSchema = {
      type: 'object',
      properties: { colour: { type: 'string', enum: ['red', 'blue'] } },
    }
    say(
      JSON.stringify(
        await request('elicitation/create', { mode: 'form', message, requestedSchema }),
      ),
    )
  },
  async unknown({ request, say }, method) {
    say(await request(method, {}).then(String, (error: Error) => error.message))
  },
}
