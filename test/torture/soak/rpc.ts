/** The JSON-RPC server under the Copilot SDK: every session with a model of its client. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CopilotClient,
  RuntimeConnection,
  approveAll,
  type ResumeSessionConfig,
} from '@github/copilot-sdk'
import { makeToken } from '../../control/program.ts'
import { homeWith, startSoakedModel } from './model.ts'
import { startSoaked, type Soaked } from './soaked.ts'

const TURNS = 5
/** So many sessions a connection has. */
const CONNECTION = 20

export const soakRpc = (folder: string): Promise<Soaked> => soakServer(folder)

/** With a copy of every session in Mission Control, from where each can be steered. */
export async function soakRemote(folder: string): Promise<Soaked> {
  const place = ['--data', join(folder, 'data')]
  const token = await makeToken(place, { ...process.env, REPRISE_HOME: folder })
  const control = await startSoaked(['control', 'serve', '--json', '--port', '0', ...place], folder)
  const soaked = await soakServer(folder, {
    REPRISE_CONTROL_URL: `http://127.0.0.1:${control.port}`,
    REPRISE_CONTROL_TOKEN: token,
  })
  return {
    ...soaked,
    async [Symbol.asyncDispose]() {
      await soaked[Symbol.asyncDispose]()
      await control[Symbol.asyncDispose]()
    },
  }
}

async function soakServer(folder: string, env: NodeJS.ProcessEnv = {}): Promise<Soaked> {
  const model = await startSoakedModel()
  const home = await homeWith(folder, model)
  const args = ['--server', '--port', '0', '--home', home]
  const program = await startSoaked(args, folder, env)
  const token = await readFile(join(home, `.reprise/server-${program.port}.token`), 'utf8')
  const connection = RuntimeConnection.forUri(`127.0.0.1:${program.port}`, {
    connectionToken: token.trim(),
  })
  let client = new CopilotClient({ connection })
  const config = usedModel(model)
  return {
    measured: program.measured,
    async live(nth) {
      if (nth % CONNECTION === CONNECTION - 1) {
        await client.stop()
        client = new CopilotClient({ connection })
      }
      await liveWith(client, config, nth)
    },
    async [Symbol.asyncDispose]() {
      await client.forceStop()
      await program[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

const usedModel = ({ baseUrl }: { readonly baseUrl: string }): ResumeSessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'none' },
  streaming: true,
})

/** One session of this client, as programs use them. */
async function liveWith(
  client: CopilotClient,
  config: ResumeSessionConfig,
  nth: number,
): Promise<void> {
  const session = await client.createSession(config)
  for (let turn = 0; turn < TURNS; turn += 1)
    await session.sendAndWait(turn === 2 ? 'run echo soaked' : `What is ${turn}?`)
  const events = await session.getEvents()
  const last = events.findLast(({ type }) => type === 'user.message')
  if (last !== undefined) await session.rpc.history.truncate({ eventId: last.id })
  await session.disconnect()
  if (nth % 3 !== 0) return
  const again = await client.resumeSession(session.sessionId, config)
  await again.sendAndWait('And now?')
  await again.disconnect()
}
