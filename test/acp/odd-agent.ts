/** An agent that says much that no schema knows, and answers methods of its own. It tells back all that it was told. */
import { lines } from '../../src/lib/json-rpc/lines.ts'
import { openPeer } from '../../src/lib/json-rpc/peer.ts'
import { fieldsOf, type Fields } from '../../src/lib/fields.ts'

const SESSION = 'inner-1'
let opened: Fields = {}
let openings = 0

const connection = openPeer({ input: process.stdin, output: process.stdout }, lines, {
  async request(method, given) {
    const params = fieldsOf(given)
    if (method === 'initialize')
      return {
        protocolVersion: 1,
        agentCapabilities: {
          auth: { logout: {} },
          sessionCapabilities: { additionalDirectories: {} },
          _meta: { odd: { queues: true } },
        },
      }
    if (method === 'logout') return { out: true }
    if (method === 'session/new') {
      opened = params
      openings += 1
      return { sessionId: SESSION }
    }
    if (method === 'session/prompt') return prompt(params)
    if (method === '_odd/die') process.exit(1)
    if (method === '_odd/hello') return { heard: params, odd: true }
    throw Object.assign(new Error('never heard of it'), { code: -32601 })
  },
  notification(method, params) {
    if (method === '_odd/poke') connection.notify('_odd/poked', params)
  },
  odd() {},
})
void connection.ended.then(() => process.exit(0))

async function prompt(params: Fields): Promise<Fields> {
  const update = (given: Fields) =>
    connection.notify('session/update', { sessionId: SESSION, update: given })
  const content = (text: string) => ({ type: 'text', text, annotations: { odd: 1 } })
  connection.notify('_odd/notice', { sessionId: SESSION, deep: { list: [1, null] } })
  update({ sessionUpdate: 'odd_update', anything: { goes: true } })
  const call = { toolCallId: 't', title: 'Odd tool', kind: 'odd_kind', _meta: { odd: 2 }, odd: 3 }
  update({ sessionUpdate: 'tool_call', ...call, rawInput: { x: 1 }, status: 'in_progress' })
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', odder: 4 })
  update({ sessionUpdate: 'notice', severity: 'warning', title: 'Odd model', description: 'Why?' })
  const cost = { amount: 0.5, currency: 'USD' }
  update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost, _meta: { odd: 8 } })
  const answer = await connection
    .request('_odd/ask', { sessionId: SESSION, question: 'why' })
    .catch((error: Error & { code: number }) => ({ code: error.code, message: error.message }))
  const said = JSON.stringify({ opened, openings, params, answer })
  update({ sessionUpdate: 'agent_message_chunk', content: content(said), _meta: { odd: 5 } })
  return { stopReason: 'max_tokens', odd: 6, _meta: { odd: 7 } }
}
