/** The scripted agent in version 2 of the protocol, and in no other: what it does is the same, how it says it is not. */
import { RpcFailure } from '../../src/lib/json-rpc/failure.ts'
import { listIn, fieldsOf, textIn, type Fields } from '../../src/lib/fields.ts'

type Methods = Readonly<Record<string, (params: Fields) => Promise<Fields> | Fields>>

export type SecondVersion = {
  readonly methods: Methods
  update(sessionId: string, content: Fields): void
  request(method: string, params: Fields): [string, Fields]
}

export function inSecondVersion(
  methods: () => Methods,
  notify: (sessionId: string, update: Fields) => void,
): SecondVersion {
  let messages = 0
  let said = ''
  let isReplaying = false

  const run = (method: string, params: Fields) => methods()[method]?.(params) ?? {}

  async function work(sessionId: string, params: Fields): Promise<void> {
    notify(sessionId, { sessionUpdate: 'state_update', state: 'running' })
    messages += 1
    said = ''
    const end = await Promise.resolve(run('session/prompt', params)).catch((error: Error) => ({
      stopReason: 'error',
      error: { code: error instanceof RpcFailure ? error.code : -32603, message: error.message },
    }))
    // The whole of what came in pieces.
    if (said !== '') notify(sessionId, whole('agent_message', said))
    notify(sessionId, { sessionUpdate: 'state_update', state: 'idle', ...end })
  }

  const whole = (sessionUpdate: string, text: string): Fields => ({
    sessionUpdate,
    messageId: `m-${messages}`,
    content: [{ type: 'text', text }],
  })

  return {
    methods: {
      initialize({ protocolVersion, info }) {
        if (protocolVersion !== 2 || info === undefined) {
          const data = { requested: protocolVersion, supported: [2] }
          throw new RpcFailure(-32022, 'Unsupported protocol version', data)
        }
        return {
          protocolVersion: 2,
          info: { name: 'scripted', title: 'Scripted agent', version: '2.0.0' },
          capabilities: { session: { prompt: { embeddedContext: {} } } },
        }
      },
      'session/new': (params) => run('session/new', params),
      'session/close': () => ({}),
      async 'session/resume'(params) {
        if (params['replayFrom'] === undefined) return run('session/resume', params)
        isReplaying = true
        try {
          return await run('session/load', params)
        } finally {
          isReplaying = false
        }
      },
      'session/prompt'(params) {
        const sessionId = textIn(params, 'sessionId') ?? ''
        setImmediate(() => void work(sessionId, params))
        return { messageId: `asked-${messages}` }
      },
    },
    update(sessionId, content) {
      const kind = textIn(content, 'sessionUpdate') ?? ''
      const text = textIn(fieldsOf(content['content']), 'text') ?? ''
      if (isReplaying) {
        messages += 1
        return notify(sessionId, whole(kind.replace('_chunk', ''), text))
      }
      if (kind === 'agent_message_chunk') {
        said += text
        return notify(sessionId, { ...content, messageId: `m-${messages}` })
      }
      if (kind === 'tool_call' || kind === 'tool_call_update') {
        const shown = listIn(content, 'content').map(changed)
        return notify(sessionId, {
          ...content,
          sessionUpdate: 'tool_call_update',
          locations: null,
          ...(shown.length > 0 && { content: shown }),
        })
      }
      notify(sessionId, content)
    },
    request(method, params) {
      if (method !== 'session/request_permission') return [method, params]
      const { toolCall, ...more } = params
      return [method, { ...more, title: 'May I?', subject: { type: 'tool_call', toolCall } }]
    },
  }
}

function changed(content: Fields): Fields {
  if (content['type'] !== 'diff') return content
  const patch = { format: 'git_patch', text: `-${content['oldText']}+${content['newText']}` }
  return { type: 'diff', changes: [{ operation: 'modify', path: content['path'] }], patch }
}
