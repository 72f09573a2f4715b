/** The ACP server on a port, under editors that come and go. */
import { connect } from 'node:net'
import { lines } from '../../../src/lib/json-rpc/lines.ts'
import { openPeer, type Peer } from '../../../src/lib/json-rpc/peer.ts'
import { homeWith, startSoakedModel } from './model.ts'
import { startSoaked, type Soaked } from './soaked.ts'

const TURNS = 5
/** So many sessions an editor has before it starts anew; every other one leaves them open. */
const EDITOR = 10
const TOKEN = 'a token of the soak'

export async function soakAcp(folder: string): Promise<Soaked> {
  const model = await startSoakedModel()
  const home = await homeWith(folder, model)
  const args = ['acp', '--port', '0', '--home', home]
  const program = await startSoaked(args, folder, { REPRISE_TOKEN: TOKEN })
  let editor = await openEditor(program.port)
  return {
    measured: program.measured,
    async live(nth) {
      if (nth % EDITOR === EDITOR - 1) {
        editor.leave()
        editor = await openEditor(program.port)
      }
      await liveWith(editor.peer, folder, { nth, isLeft: nth % (2 * EDITOR) >= EDITOR })
    },
    async [Symbol.asyncDispose]() {
      editor.leave()
      await program[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

async function liveWith(
  peer: Peer,
  cwd: string,
  { nth, isLeft }: { readonly nth: number; readonly isLeft: boolean },
): Promise<void> {
  const ask = async (method: string, params: object) =>
    (await peer.request(method, params)) as Readonly<Record<string, string>>
  const place = { cwd, mcpServers: [] }
  const { sessionId } = await ask('session/new', place)
  const say = (text: string) =>
    ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  for (let turn = 0; turn < TURNS; turn += 1)
    await say(turn === 2 ? 'run echo soaked' : `What is ${turn}?`)
  await ask('session/list', {})
  if (isLeft) return
  await ask('session/close', { sessionId })
  if (nth % 3 === 0) {
    await ask('session/load', { sessionId, ...place })
    await say('And now?')
    await ask('session/close', { sessionId })
  }
  if (nth % 5 === 0) await ask('session/delete', { sessionId })
}

async function openEditor(port: number): Promise<{ readonly peer: Peer; leave(): void }> {
  const socket = connect(port, '127.0.0.1')
  const allowed = { outcome: { outcome: 'selected', optionId: 'allow' } }
  const peer = openPeer({ input: socket, output: socket }, lines, { request: async () => allowed })
  await peer.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: {},
    _meta: { reprise: { token: TOKEN } },
  })
  return { peer, leave: () => void socket.end() }
}
