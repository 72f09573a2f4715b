/** Makes the agent that was chosen, with the tools and settings that it is to have. */
import { homedir } from 'node:os'
import { basename } from 'node:path'
import {
  chooseAgent,
  nameOf,
  type Choice,
  type ModelChoice,
  type Wishes,
} from '../agents/choose.ts'
import type { McpServer, ModelConfig, Price } from '../agents/model/config.ts'
import { serversIn, type Config } from '../config/config-file.ts'
import type { Agent } from '../engine/agent.ts'
import type { Agents } from '../engine/engine-context.ts'
import { EngineError } from '../engine/errors.ts'
import type { GuidanceConfig } from '../guidance/guidance.ts'
import { defined } from '../lib/defined.ts'
import type { Launch } from '../surfaces/cli/copilot-options.ts'
import { toolFilter } from '../config/tool-filter.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { HomeServices } from '../store/home-services.ts'
import { openStoreTools } from './home-services.ts'
import { keepCommand } from './keep-command.ts'

export type AgentParts = {
  readonly instructions: readonly string[]
  readonly fs: SessionFs
  readonly services: HomeServices
  readonly launch?: Launch
  /** Nobody is there to be asked, and not everything is allowed. */
  readonly isUnattended?: boolean
  /** A program asks, and takes what is said for the answer. */
  readonly isHeadless?: boolean
}

/** Those of a home: each is chosen when a turn needs one, and made once. */
export function configuredAgents(wishes: Wishes, config: Config, parts: AgentParts): Agents {
  const made = new Map<string, Promise<Agent>>()
  return {
    choose(recorded) {
      const choice = chooseAgent(wishes, config, process.env, recorded)
      const name = nameOf(choice)
      const known = made.get(name)
      if (known !== undefined) return known
      const isNobody = choice.kind === 'offline' && choice.isDefault && parts.isHeadless
      // Names of models have a slash.
      const isLost = isNobody && recorded !== undefined && !recorded.includes('/')
      const making = isLost
        ? Promise.reject(new EngineError('invalid', lost(recorded)))
        : makeAgent(choice, config, parts)
      made.set(name, making)
      // One that could not be made is made again when it is next needed.
      making.catch(() => made.delete(name))
      return making
    },
    async close() {
      const all = await Promise.allSettled(made.values())
      await Promise.all(
        all.map((each) => (each.status === 'fulfilled' ? each.value.close?.() : undefined)),
      )
    },
  }
}

/** A log names who answered, and starts no program. */
const lost = (name: string): string =>
  `"${name}" answered in this session, and is not found here by that name. Nothing was sent. Give it again with --agent "<its command>", or another agent; reprise agents lists those that are here.`

export async function makeAgent(choice: Choice, config: Config, parts: AgentParts): Promise<Agent> {
  if (choice.kind === 'offline' && choice.isDefault && parts.isHeadless)
    throw new EngineError('invalid', NO_MODEL)
  if (choice.kind === 'offline')
    return (await import('../agents/offline/offline.ts')).offlineAgent()
  if (choice.kind === 'model') return makeModel(await named(choice.model), config, parts)
  const { acpAgent, knownAgent } = await import('../agents/acp/acp.ts')
  const { isUnattended = false } = parts
  const clientVersion = typeof REPRISE_VERSION === 'string' ? REPRISE_VERSION : 'source'
  if (choice.kind === 'known')
    return acpAgent(knownAgent(choice.name, { isUnattended, clientVersion }))
  const [command = '', ...args] = choice.words
  if (isUnattended) {
    throw new EngineError(
      'invalid',
      `What ${basename(command)} does without asking is not known, and nobody is there to be asked. Nothing was started. Run it in a terminal, or give --allow-all.`,
    )
  }
  await keepCommand(choice, parts.fs)
  return acpAgent({ name: choice.name, command, args, clientVersion })
}

const NO_MODEL =
  'No model is configured, so nobody can answer. Nothing was sent. Give --agent or --model, run "reprise config set model.name <name>", set ANTHROPIC_API_KEY or OPENAI_API_KEY, or have the client bring a provider. --agent offline does what is spelled out, without a model.'

/** With the name of the only model that its endpoint has, where none was given. */
export async function named(choice: ModelChoice): Promise<ModelChoice> {
  if (choice.name !== '') return choice
  const { listModels } = await import('../agents/model/list-models.ts')
  const { baseUrl = '' } = choice
  const late = AbortSignal.timeout(LIST_MS)
  const models = await listModels(modelOf(choice), late).catch((cause: unknown) => {
    throw new EngineError(
      'invalid',
      `No model is named, and ${baseUrl} does not say which it has. Nothing was sent. Give --model, or run "reprise config set model.name <name>".`,
      { cause },
    )
  })
  const [only, another] = models
  if (only !== undefined && another === undefined) return { ...only, ...choice, name: only.name }
  throw new EngineError(
    'invalid',
    `${baseUrl} has ${models.length} models and none is named. Nothing was sent. Choose one with /agent, --model or "reprise config set model.name": ${models
      .slice(0, 8)
      .map(({ name }) => name)
      .join(', ')}.`,
  )
}

const LIST_MS = 5000

async function makeModel(
  choice: ModelChoice,
  config: Config,
  { instructions, fs, services, launch = {} }: AgentParts,
): Promise<Agent> {
  const isWanted = toolFilter(launch)
  const [{ modelAgent }, storeTools] = await Promise.all([
    import('../agents/model/model.ts'),
    openStoreTools(services, fs),
  ])
  const mcpServers = serversIn(config) as Readonly<Record<string, McpServer>>
  return modelAgent({
    ...modelOf(choice),
    ...pricesIn(config),
    ...titlesIn(config),
    extraTools: storeTools.filter((tool) => isWanted(tool.name, 'builtin')),
    offers: isWanted,
    guidance: guidanceFor(config, fs, launch),
    mcpServers,
    ...defined({ reasoningEffort: launch.reasoningEffort ?? choice.reasoningEffort }),
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
  })
}

export const modelOf = ({ name, apiKeyEnv, ...choice }: ModelChoice): ModelConfig => {
  const { provider, baseUrl, reasoningEffort, contextWindow, headers } = choice
  const apiKey = () => (apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv])
  const keyHint = apiKeyEnv ?? UNSET_KEY
  const known = defined({ baseUrl, reasoningEffort, contextWindow, headers })
  return { provider, model: name, apiKey, keyHint, ...known }
}

const UNSET_KEY =
  'model.apiKeyEnv to the variable that holds the key for this address ("reprise config set model.apiKeyEnv NAME"; OPENAI_API_KEY and ANTHROPIC_API_KEY go to the hosts of their providers alone)'

/** What the user configured, and where their own files are. */
export const guidanceFor = (
  { instructions = {}, skills = {}, customAgents = {} }: Config,
  fs: SessionFs,
  launch: Pick<Launch, 'noCustomInstructions'> = {},
): GuidanceConfig => ({
  userHome: homedir(),
  instructionsOff: launch.noCustomInstructions === true ? 'all' : (instructions.off ?? []),
  instructionDirectories: [...(instructions.directories ?? []), ...directoriesInEnvironment()],
  skillsOff: skills.off ?? [],
  skillDirectories: skills.directories ?? [],
  agentDirectories: customAgents.directories ?? [],
  ...defined({ repriseHome: fs.diskPath('session-state')?.replace(/[/\\]session-state$/, '') }),
})

/** As the Copilot CLI reads them. */
const directoriesInEnvironment = (): readonly string[] =>
  (process.env['COPILOT_CUSTOM_INSTRUCTIONS_DIRS'] ?? '').split(',').filter((each) => each !== '')

export const pricesIn = ({ prices = {} }: Config): Pick<ModelConfig, 'price'> => ({
  price: (model) => (Object.hasOwn(prices, model) ? (prices[model] as Price) : undefined),
})

const titlesIn = ({ titles: { by, model } = {} }: Config): Pick<ModelConfig, 'titles'> =>
  by === 'words' ? {} : { titles: defined({ model }) }
