/** `reprise acp`: wires the ACP server to a home, its configuration and an agent, on stdio or on a port. */
import { resolveFar } from '../commands/find-session.ts'
import { openHomeServices } from './home-services.ts'
import { defined } from '../lib/defined.ts'
import { agentsFor } from './known-agents.ts'
import { openConfiguredEngine } from './open-engine.ts'
import { createAsks } from '../surfaces/acp/asks.ts'
import { createAcpServer } from '../surfaces/acp/serve.ts'
import { createSwitchboard } from '../surfaces/acp/switchboard.ts'
import type { Host } from '../surfaces/cli/command.ts'
import { stopped } from '../lib/aborted.ts'

type AcpOptions = Parameters<Host['serveAcp']>[0]

const MODELS_MS = 3000

/** Asked of the endpoint with the first session that opens; one that is slow or cannot say is not waited for. */
function modelsOnce(around: Parameters<typeof agentsFor>[0]): () => Promise<readonly string[]> {
  const ask = async () => {
    const { configured, offered } = await agentsFor(around).models(
      undefined,
      AbortSignal.timeout(MODELS_MS),
    )
    return [...new Set([...(configured === undefined ? [] : [configured]), ...offered])]
  }
  let asked: Promise<readonly string[]> | undefined
  return () => (asked ??= ask().catch(() => [])) // a turn tells what is wrong with it
}

export async function serveAcp(
  { home: { path: home }, cwd, launch, signal, port, agent, model, allowAll, connect }: AcpOptions,
  { version, env }: { readonly version: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const asks = createAsks({ allowAll: allowAll === true })
  const switchboard = createSwitchboard()
  const engine = openConfiguredEngine({
    home,
    cwd,
    launch,
    policy: asks.policy,
    switchboard,
    answersQuestions: launch.noAskUser !== true,
    clientName: 'reprise-acp',
    ...defined({ agent, model }),
  })
  const connected = connect === undefined ? undefined : await resolveFar(engine, connect)
  const onTrouble = (message: string) => void process.stderr.write(`${message}\n`)
  const services = openHomeServices({ home, env, onTrouble })
  const given = env['REPRISE_TOKEN']
  const token = port === undefined ? undefined : (given ?? crypto.randomUUID())
  const server = createAcpServer({
    engine,
    asks,
    switchboard,
    version,
    cwd,
    services,
    models: modelsOnce({ fs: engine.fs, home, cwd, wishes: defined({ agent, model }) }),
    ...defined({ token, connected }),
  })
  try {
    if (port === undefined) {
      const served = server.serve({ input: process.stdin, output: process.stdout })
      await Promise.race([served, stopped(signal)])
    } else {
      await using listening = await server.listen(port)
      if (given === undefined) process.stderr.write(`token ${token}\n`)
      process.stdout.write(`ACP server listening on port ${listening.port}\n`)
      await stopped(signal)
    }
  } finally {
    await engine.stop()
    await services.close()
  }
}
