/**
 * Who answers: what was asked for, else what is configured, else what this machine offers, else the offline agent.
 * Nothing of a repository or a session is asked.
 */
import { basename } from 'node:path'
import { isOnPath } from '../agents/acp/find-program.ts'
import { isKnownName, knownAgents } from '../agents/acp/known.ts'
import type { Config } from '../config/config-file.ts'
import type { Agent } from '../engine/agent.ts'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import type { StoreParts } from './store-tools.ts'
import type { Launch } from '../surfaces/cli/copilot-options.ts'
import { toolFilter } from '../surfaces/rpc/tool-filter.ts'

export type Wishes = { readonly agent?: string; readonly model?: string }

export type Choice =
  | { readonly kind: 'offline' }
  | { readonly kind: 'model'; readonly model: ModelChoice }
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'command'; readonly words: readonly string[] }

type ModelChoice = NonNullable<Config['model']> & {
  readonly provider: 'openai-compatible' | 'openai' | 'anthropic'
  readonly name: string
  readonly apiKeyEnv: string
}

export function chooseAgent(
  { agent, model }: Wishes,
  config: Config,
  env: NodeJS.ProcessEnv,
): Choice {
  const wanted = agent ?? (env['REPRISE_AGENT'] || undefined) ?? config.agent
  if (wanted !== undefined) return named(wanted, model, config, env)
  if (model !== undefined || config.model !== undefined) return theModel(model, config, env)
  if (['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'REPRISE_MODEL'].some((name) => env[name]))
    return theModel(model, config, env)
  const found = Object.entries(knownAgents).find(([, { command }]) => isOnPath(command, env))
  return found === undefined ? { kind: 'offline' } : { kind: 'known', name: found[0] }
}

function named(
  wanted: string,
  model: string | undefined,
  config: Config,
  env: NodeJS.ProcessEnv,
): Choice {
  if (wanted === 'offline') return { kind: 'offline' }
  if (wanted === 'model') return theModel(model, config, env)
  if (isKnownName(wanted)) return { kind: 'known', name: wanted }
  const words = wordsOf(wanted)
  if (words.length === 0)
    throw new EngineError('invalid', 'The agent is empty. Name one, or give its command.')
  return { kind: 'command', words }
}

function theModel(model: string | undefined, config: Config, env: NodeJS.ProcessEnv): Choice {
  const given = config.model ?? {}
  const provider = given.provider ?? providerOf(given.baseUrl, env)
  const name = model ?? (env['REPRISE_MODEL'] || undefined) ?? given.name ?? DEFAULTS[provider]
  if (name === undefined) {
    throw new EngineError(
      'invalid',
      'No model is named. Give --model, set REPRISE_MODEL, or run "reprise config set model.name <name>".',
    )
  }
  const baseUrl = given.baseUrl ?? addressIn(env, provider)
  const apiKeyEnv =
    given.apiKeyEnv ?? (provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY')
  const address = baseUrl !== undefined && { baseUrl }
  return { kind: 'model', model: { ...given, ...address, provider, name, apiKeyEnv } }
}

function providerOf(baseUrl: string | undefined, env: NodeJS.ProcessEnv): ModelChoice['provider'] {
  if (baseUrl) return 'openai-compatible'
  if (env['ANTHROPIC_API_KEY'] || env['ANTHROPIC_BASE_URL']) return 'anthropic'
  // Whoever has another address there runs or rents something that speaks like it.
  return env['OPENAI_BASE_URL'] ? 'openai-compatible' : 'openai'
}

/** By the names that the providers' own programs read. */
function addressIn(env: NodeJS.ProcessEnv, provider: ModelChoice['provider']): string | undefined {
  if (provider !== 'anthropic') return env['OPENAI_BASE_URL'] || undefined
  const address = env['ANTHROPIC_BASE_URL'] || undefined
  // There it is given without the version.
  return address?.replace(/\/(?:v1\/?)?$/, '').concat('/v1')
}

const DEFAULTS: Readonly<Record<string, string | undefined>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
}

/** A command line in words, with quotes; nothing is expanded. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '',
  )
}

export async function makeAgent(
  choice: Choice,
  config: Config,
  parts: {
    readonly instructions: readonly string[]
    readonly stores: StoreParts
    readonly launch?: Launch
  },
): Promise<Agent> {
  if (choice.kind === 'offline')
    return (await import('../agents/offline/offline.ts')).offlineAgent()
  if (choice.kind === 'model') return makeModel(choice.model, config, parts)
  const { acpAgent, knownAgent } = await import('../agents/acp/acp.ts')
  if (choice.kind === 'known') return acpAgent(knownAgent(choice.name))
  const [command = '', ...args] = choice.words
  return acpAgent({ name: basename(command), command, args })
}

async function makeModel(
  { provider, name, apiKeyEnv, baseUrl, reasoningEffort, contextWindow, headers }: ModelChoice,
  { mcpServers, prices }: Config,
  { instructions, stores, launch = {} }: Parameters<typeof makeAgent>[2],
): Promise<Agent> {
  const isWanted = toolFilter(launch)
  const [{ modelAgent }, { storeTools }] = await Promise.all([
    import('../agents/model/model.ts'),
    import('./store-tools.ts'),
  ])
  const price = prices?.[name]
  return modelAgent({
    provider,
    model: name,
    apiKey: () => process.env[apiKeyEnv],
    extraTools: storeTools(stores).filter((tool) => isWanted(tool.name, 'builtin')),
    offers: isWanted,
    skipsInstructionFiles: launch.noCustomInstructions === true,
    ...defined({ baseUrl, contextWindow, headers }),
    ...defined({ reasoningEffort: launch.reasoningEffort ?? reasoningEffort }),
    ...(mcpServers !== undefined && { mcpServers: mcpServers as never }),
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    ...(price !== undefined && { price: price as never }),
  })
}
