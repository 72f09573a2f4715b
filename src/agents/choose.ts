/**
 * Who answers: what was asked for, else the agent that the session had, else what is configured, else what this machine
 * offers, else the offline agent. Of a session only a name is taken, and only one that is known here, or that a person
 * gave a command in this home: nothing in a log ever starts a program.
 */
import { basename, resolve } from 'node:path'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { isOnPath } from '../lib/on-path.ts'
import { isKnownName, knownAgents, knownNames, type KnownName } from './acp/known.ts'

type Provider = 'openai-compatible' | 'openai' | 'anthropic'

/** What the user's configuration says of agents. */
type AgentSettings = {
  readonly agent?: string | undefined
  /** Commands by the names that sessions know them by. */
  readonly agents?: Readonly<Record<string, string>> | undefined
  readonly model?: ModelSettings | undefined
}

type ModelSettings = {
  readonly provider?: Provider | undefined
  readonly baseUrl?: string | undefined
  readonly name?: string | undefined
  readonly apiKeyEnv?: string | undefined
  readonly reasoningEffort?: string | undefined
  readonly contextWindow?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type Wishes = { readonly agent?: string; readonly model?: string }

export type Choice =
  /** By default: nobody asked for it. */
  | { readonly kind: 'offline'; readonly isDefault?: true }
  | { readonly kind: 'model'; readonly model: ModelChoice }
  | { readonly kind: 'known'; readonly name: KnownName }
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }

export type ModelChoice = ModelSettings & {
  readonly provider: Provider
  /** Empty: the only one that the endpoint has. */
  readonly name: string
}

/** `recorded`: the agent that the session had, by its name. */
export function chooseAgent(
  wishes: Wishes,
  config: AgentSettings,
  env: NodeJS.ProcessEnv,
  recorded?: string,
): Choice {
  const usual = () => usualAgent(wishes, config, env)
  if (wishes.agent !== undefined || recorded === undefined) return usual()
  // Nobody goes on with the agent that says that no model is connected, once one is.
  if (recorded === 'offline') {
    const choice = usual()
    // It answered before, so it is not one that nobody chose.
    return choice.kind === 'offline' ? { kind: 'offline' } : choice
  }
  const given = isKnownName(recorded) ? undefined : commandNamed(recorded, config)
  if (given !== undefined) return given
  const known = knownNames.find(
    (name) => name === recorded || knownAgents[name].command === recorded,
  )
  if (known !== undefined)
    return isOnPath(knownAgents[known].command, env) ? { kind: 'known', name: known } : usual()
  const choice = usual()
  if (nameOf(choice) === recorded || !isModelName(recorded)) return choice
  return choice.kind === 'model' || config.model === undefined
    ? choice
    : theModel(wishes.model, config, env)
}

/** As it stands in the log. */
export function nameOf(choice: Choice): string {
  if (choice.kind === 'model') return `${choice.model.provider}/${choice.model.name}`
  return choice.kind === 'offline' ? 'offline' : choice.name
}

const isModelName = (name: string): boolean =>
  /^(?:openai-compatible|openai|anthropic)\//.test(name)

function usualAgent(
  { agent, model }: Wishes,
  config: AgentSettings,
  env: NodeJS.ProcessEnv,
): Choice {
  const wanted = agent ?? (env['REPRISE_AGENT'] || undefined) ?? config.agent
  if (wanted !== undefined) return named(wanted, model, config, env)
  if (model !== undefined || config.model !== undefined) return theModel(model, config, env)
  if (['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'REPRISE_MODEL'].some((name) => env[name]))
    return theModel(model, config, env)
  const found = knownNames.find((name) => isOnPath(knownAgents[name].command, env))
  return found === undefined ? { kind: 'offline', isDefault: true } : { kind: 'known', name: found }
}

function named(
  wanted: string,
  model: string | undefined,
  config: AgentSettings,
  env: NodeJS.ProcessEnv,
): Choice {
  if (wanted === 'offline') return { kind: 'offline' }
  if (wanted === 'model') return theModel(model, config, env)
  if (isKnownName(wanted)) return { kind: 'known', name: wanted }
  const known = commandNamed(wanted, config)
  if (known !== undefined) return known
  const [program, ...args] = wordsOf(wanted)
  if (program === undefined)
    throw new EngineError('invalid', 'The agent is empty. Name one, or give its command.')
  const words = [program.includes('/') ? resolve(program) : program, ...args]
  return { kind: 'command', name: freeName(words, config.agents ?? {}), words }
}

function commandNamed(name: string, { agents = {} }: AgentSettings): Choice | undefined {
  if (!Object.hasOwn(agents, name)) return undefined
  const words = wordsOf(agents[name] ?? '')
  return words.length === 0 ? undefined : { kind: 'command', name, words }
}

/** That of its program, with a number where another command has it: a session must find its own again. */
function freeName(words: readonly string[], agents: Readonly<Record<string, string>>): string {
  const command = commandLine(words)
  const base = basename(words[0] ?? '')
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    const isTaken = Object.hasOwn(agents, name)
    if (!isTaken || commandLine(wordsOf(agents[name] ?? '')) === command) return name
  }
}

function theModel(
  model: string | undefined,
  config: AgentSettings,
  env: NodeJS.ProcessEnv,
): Choice {
  const given = config.model ?? {}
  const provider = given.provider ?? providerOf(given.baseUrl, env)
  const baseUrl = given.baseUrl ?? addressIn(env, provider)
  const named = model ?? (env['REPRISE_MODEL'] || undefined) ?? given.name ?? DEFAULTS[provider]
  // Where an endpoint has one model it need not be named: it is asked when it is needed.
  const name = named ?? (baseUrl === undefined ? undefined : '')
  if (name === undefined) {
    throw new EngineError(
      'invalid',
      'No model is named. Give --model, set REPRISE_MODEL, or run "reprise config set model.name <name>".',
    )
  }
  const usual = provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY'
  // Address and key that the environment names together belong together.
  const apiKeyEnv = given.apiKeyEnv ?? (given.baseUrl ? keyOf(given.baseUrl) : usual)
  return {
    kind: 'model',
    model: { ...given, ...defined({ baseUrl, apiKeyEnv }), provider, name },
  }
}

/** The variable of the environment that is for the host of an address; a key is sent to no other host by itself. */
const keyOf = (baseUrl: string): string | undefined =>
  URL.canParse(baseUrl) ? HOST_KEYS[new URL(baseUrl).origin] : undefined

const HOST_KEYS: Readonly<Record<string, string | undefined>> = {
  'https://api.openai.com': 'OPENAI_API_KEY',
  'https://api.anthropic.com': 'ANTHROPIC_API_KEY',
}

function providerOf(baseUrl: string | undefined, env: NodeJS.ProcessEnv): Provider {
  if (baseUrl) return 'openai-compatible'
  if (env['ANTHROPIC_API_KEY'] || env['ANTHROPIC_BASE_URL']) return 'anthropic'
  // Another address there is of a server that speaks like OpenAI's.
  return env['OPENAI_BASE_URL'] ? 'openai-compatible' : 'openai'
}

/** By the names that the providers' own programs read. */
function addressIn(env: NodeJS.ProcessEnv, provider: Provider): string | undefined {
  if (provider !== 'anthropic') return env['OPENAI_BASE_URL'] || undefined
  const address = env['ANTHROPIC_BASE_URL'] || undefined
  // There it is given without the version.
  return address?.replace(/\/(?:v1\/?)?$/, '').concat('/v1')
}

const DEFAULTS: Readonly<Record<string, string | undefined>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
}

/** So that it is read as these words again. */
export const commandLine = (words: readonly string[]): string =>
  words
    .map((word) => (/^[^\s"']+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`))
    .join(' ')

/** A command line in words, with quotes; nothing is expanded. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '',
  )
}
