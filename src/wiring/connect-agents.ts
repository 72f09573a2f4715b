/**
 * Everything that could answer here: agents on this machine and those that npm would bring, keys in the environment,
 * servers of models on this machine. One is tried with one request before it is remembered.
 */
import {
  chooseAgent,
  nameOf,
  type Choice,
  type ModelChoice,
  type Wishes,
} from '../agents/choose.ts'
import { findProgram } from '../agents/acp/find-program.ts'
import { isKnownName, knownAgents, knownNames } from '../agents/acp/known.ts'
import type { ListedModel } from '../agents/model/list-models.ts'
import { windowIn } from '../agents/model/windows.ts'
import type { AgentOption, AgentsToConnect, Answerer, Answering } from '../commands/command.ts'
import type { Config } from '../config/config-file.ts'
import { changeConfig } from '../config/change-config.ts'
import { readConfig } from '../config/load.ts'
import type { Agent } from '../engine/agent.ts'
import { EngineError } from '../engine/errors.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import { openLogins } from './agent-logins.ts'
import { openHomeServices } from './home-services.ts'
import { agentsFor, requireProgram } from './known-agents.ts'
import { localServers } from './local-servers.ts'
import { tryAgent, tryModel } from './try-agent.ts'

type Options = {
  readonly fs: SessionFs
  readonly home: string
  readonly cwd: string
  readonly version: string
  readonly wishes: Wishes
  readonly env: NodeJS.ProcessEnv
}

/** Names of models by their provider, as people type them: `ollama/llama3`. */
const KEYS = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' } as const

export function agentsToConnect(options: Options): AgentsToConnect {
  const { fs, home, cwd, env, wishes } = options
  const config = () => readConfig(fs)

  /** What a name stands for; a name with a slash has the model behind it. */
  async function choiceOf(name: string): Promise<Choice> {
    const [first = '', ...rest] = name.split('/')
    const model = rest.join('/')
    const server = (await localServers(env)).find((each) => each.name === first)
    if (server !== undefined) {
      const host = new URL(server.baseUrl).host
      if (!server.models?.length)
        throw new EngineError(
          'not_found',
          `${first} is ${aboutServer(host, server.models)}. Nothing was changed.`,
        )
      const taken = server.models.find((each) => each.name === model) ?? { name: model }
      const only = model === '' ? onlyOne(server.models, server.name) : taken
      const { baseUrl } = server
      return { kind: 'model', model: { provider: 'openai-compatible', baseUrl, ...only } }
    }
    if (first === 'anthropic' || first === 'openai')
      return chooseAgent(
        { agent: 'model', ...(model !== '' && { model }) },
        { model: { provider: first } },
        env,
      )
    if (first === 'model' && model !== '')
      return chooseAgent({ agent: 'model', model }, await config(), env)
    return chooseAgent({ agent: name }, await config(), env)
  }

  const choiceFor = async ({ recorded, chosen }: Answerer): Promise<Choice> =>
    chosen === undefined ? chooseAgent(wishes, await config(), env, recorded) : choiceOf(chosen)

  const onlyModels = new Map<string, Promise<ModelChoice>>()

  /** An endpoint that has one model is asked once for its name; where it gives none, the name stays unknown. */
  async function withName(choice: Choice): Promise<Choice> {
    if (choice.kind !== 'model' || choice.model.name !== '') return choice
    const { model } = choice
    const { named } = await import('./make-agent.ts')
    const asked = onlyModels.get(model.baseUrl ?? '') ?? named(model).catch(() => model)
    onlyModels.set(model.baseUrl ?? '', asked)
    return { ...choice, model: await asked }
  }

  async function made(choice: Choice): Promise<Agent> {
    if (choice.kind === 'known') requireInstalled(choice.name)
    if (choice.kind === 'command') requireProgram(choice.words[0] ?? '')
    const [{ makeAgent }, { loadConfig }, { withLaunch }] = await Promise.all([
      import('./make-agent.ts'),
      import('../config/load.ts'),
      import('../surfaces/cli/launch-config.ts'),
    ])
    const launched = await withLaunch(await loadConfig(fs), {}, cwd)
    const { instructions } = launched
    const services = openHomeServices({ home })
    return makeAgent(choice, launched.config, { instructions, fs, services })
  }

  return {
    ...agentsFor({ fs, home, cwd, wishes }),
    async find() {
      const { model } = await config()
      const configured: AgentOption[] =
        model === undefined
          ? []
          : [
              {
                name: 'model',
                about: `as configured: ${model.name ?? ''} ${hostIn(model.baseUrl)}`.trim(),
                isHere: true,
              },
            ]
      const servers = (await localServers(env)).map(({ name, baseUrl, models }) => ({
        name,
        about: aboutServer(new URL(baseUrl).host, models),
        isHere: models !== undefined && models.length > 0,
        ...defined({ models: models?.map((each) => each.name) }),
      }))
      return [...configured, ...servers, ...here(env), ...absent(env), OFFLINE]
    },
    async logins(given, outside) {
      const choice = await choiceFor(given)
      const { name, kind } = describe(choice)
      if (kind !== 'agent')
        throw new EngineError(
          'invalid',
          kind === 'model'
            ? `${name} takes a key from the environment: there is nothing to log in to.`
            : 'No agent answers here. /agent chooses one.',
        )
      const command =
        choice.kind === 'known'
          ? knownAgents[choice.name].command
          : choice.kind === 'command'
            ? choice.words[0]
            : undefined
      const agent = await made(choice)
      return openLogins({ name, agent, command, cwd, env, outside })
    },
    async answering({ recorded, chosen, model }) {
      const settings = await config()
      const choice = await choiceFor(defined({ recorded, chosen }))
      const isChosen =
        [wishes.agent, wishes.model, settings.agent, settings.model, env['REPRISE_AGENT']].some(
          Boolean,
        ) || chosen !== undefined
      return { ...describe(await withName(choice), model), isChosen }
    },
    make: async (name) => made(await choiceOf(name)),
    async test(name) {
      const choice = await choiceOf(name)
      if (choice.kind === 'known') return tryAgent(choice.name, options)
      return choice.kind === 'model' ? tryModel(choice.model) : ''
    },
    async remember(name) {
      const choice = await choiceOf(name)
      await changeConfig(fs, (now) => remembered(now, name, choice))
    },
    async welcomed() {
      const settings = await config()
      if (settings.terminal?.welcomed === true) return true
      await changeConfig(fs, (now) => ({ ...now, terminal: { ...now.terminal, welcomed: true } }))
      return false
    },
  }
}

function remembered(settings: Config, name: string, choice: Choice): Config {
  if (choice.kind !== 'model') return { ...settings, agent: name }
  const { provider, name: model, baseUrl, apiKeyEnv, contextWindow } = choice.model
  return {
    ...settings,
    agent: 'model',
    model: { provider, name: model, ...defined({ apiKeyEnv, baseUrl, contextWindow }) },
  }
}

const OFFLINE: AgentOption = {
  name: 'offline',
  about: 'no model: runs commands and edits that are spelled out',
  isHere: true,
}

const here = (env: NodeJS.ProcessEnv): AgentOption[] => [
  ...knownNames.flatMap((name) =>
    findProgram(knownAgents[name], env) === undefined
      ? []
      : [{ name, about: `${knownAgents[name].title}, on this machine`, isHere: true }],
  ),
  ...Object.entries(KEYS).flatMap(([name, key]) =>
    env[key] ? [{ name, about: `by its API, with the key in ${key}`, isHere: true }] : [],
  ),
]

const absent = (env: NodeJS.ProcessEnv): AgentOption[] =>
  knownNames.flatMap((name) =>
    findProgram(knownAgents[name], env) === undefined
      ? [
          {
            name,
            about: `not installed: npm i -g ${knownAgents[name].package}`,
            isHere: false,
          },
        ]
      : [],
  )

/** An address may have a login in it. */
const hostIn = (baseUrl = ''): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '')

const aboutServer = (host: string, models: readonly ListedModel[] | undefined): string =>
  models === undefined
    ? `at ${host}, does not answer: ollama serve starts it`
    : models.length === 0
      ? `at ${host}, without a model: ollama pull brings one`
      : `${counted(models.length, 'model')} at ${host}: ${namesOf(models.slice(0, 3))}`

const namesOf = (models: readonly ListedModel[]): string =>
  models.map(({ name }) => name).join(', ')

function onlyOne(models: readonly ListedModel[], where: string): ListedModel {
  const [only, another] = models
  if (only !== undefined && another === undefined) return only
  throw new EngineError(
    'invalid',
    `${where} has ${counted(models.length, 'model')}: ${namesOf(models.slice(0, 8))}. Name one, as ${where}/${only?.name ?? 'name'}. Nothing was changed.`,
  )
}

function describe(choice: Choice, asked?: string): Answering {
  if (choice.kind === 'offline') return { kind: 'offline', name: 'offline', says: 'nobody' }
  if (choice.kind === 'known')
    return { kind: 'agent', name: choice.name, says: knownAgents[choice.name].title }
  if (choice.kind === 'command') {
    const name = nameOf(choice)
    return { kind: 'agent', name, says: name }
  }
  const { name, baseUrl, provider } = choice.model
  const host = baseUrl === undefined ? provider : new URL(baseUrl).host
  const window = windowIn(choice.model, asked)
  const known = name === '' ? 'its only model' : name
  return { kind: 'model', name: known, says: `${known} at ${host}`, ...defined({ window }) }
}

function requireInstalled(name: string): void {
  const known = isKnownName(name) ? knownAgents[name] : undefined
  if (known === undefined || findProgram(known) !== undefined) return
  throw new EngineError(
    'not_found',
    `${known.title} is not installed. Install: npm i -g ${known.package}. Nothing was changed.`,
  )
}
