/** Which of the known agents are on this machine, and what each says that it can do. */
import { spokenAbilities } from './capabilities.ts'
import { findProgram, type FoundProgram } from './find-program.ts'
import { knownAgents, type KnownAgent } from './known.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { startAgent } from './running-agent.ts'
import { textIn, type Fields } from '../../lib/fields.ts'

type AgentReport = {
  readonly name: string
  readonly title: string
  /** On npm, where it can be had. */
  readonly package: string
  /** What it asks before it does it, and what it never asks. */
  readonly asks: KnownAgent['asks']
  readonly command?: string
  readonly where?: FoundProgram['where']
  readonly version?: string
  readonly abilities?: readonly string[]
  readonly capabilities?: Fields
  /** Ways to log in that it offers. */
  readonly logins?: readonly string[]
  /** It is there but did not come up. */
  readonly trouble?: string
}

type DiscoverOptions = {
  readonly cwd: string
  readonly version?: string
  readonly env?: NodeJS.ProcessEnv
  /** How long each may take to introduce itself. */
  readonly startMs?: number
  readonly agents?: Readonly<Record<string, KnownAgent>>
}

const START_MS = 30_000

/** `found` is called for each as soon as it is known. */
export function discoverAgents(
  options: DiscoverOptions,
  found: (agent: AgentReport) => void = () => {},
): Promise<readonly AgentReport[]> {
  const { agents = knownAgents } = options
  return Promise.all(
    Object.entries(agents).map(async ([name, known]) => {
      const agent = await report(name, known, options)
      found(agent)
      return agent
    }),
  )
}

async function report(
  name: string,
  known: KnownAgent,
  { cwd, version: clientVersion = '0.0.0', env = process.env, startMs = START_MS }: DiscoverOptions,
): Promise<AgentReport> {
  const about = { name, title: known.title, package: known.package, asks: known.asks }
  const found = findProgram(known, env)
  if (found === undefined) return about
  const { command, where } = found
  try {
    const peer = await startAgent({ command, args: known.args }, silent, {
      cwd,
      startMs,
      clientVersion,
    })
    await peer.stop()
    const { version, capabilities, authMethods } = peer.about
    return {
      ...about,
      command,
      where,
      ...defined({ version }),
      abilities: spokenAbilities(capabilities),
      capabilities,
      logins: authMethods.map((method) => textIn(method, 'name') ?? textIn(method, 'id') ?? '?'),
    }
  } catch (error) {
    return {
      ...about,
      command,
      where,
      trouble: errorText(error),
    }
  }
}

const silent = {
  request: (method: string) =>
    Promise.reject(new RpcFailure(rpcCodes.unknownMethod, `${method} is not offered.`)),
  notification: () => {},
  odd: () => {},
}
