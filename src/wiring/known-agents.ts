/** Who can answer on this machine, for people who choose: programs that are installed, models that are configured. */
import { findProgram } from '../agents/acp/find-program.ts'
import { isOnPath } from '../lib/on-path.ts'
import { knownAgents } from '../agents/acp/known.ts'
import type { Wishes } from '../agents/choose.ts'
import type { AgentsToChoose } from '../commands/command.ts'
import { EngineError } from '../engine/errors.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { errorText } from '../lib/error-text.ts'
import { openHomeServices } from './home-services.ts'

type AgentSurroundings = {
  readonly fs: SessionFs
  readonly home: string
  readonly cwd: string
  /** What the command line asks for. */
  readonly wishes?: Wishes
}

export const agentsHere = (): string[] =>
  Object.entries(knownAgents).flatMap(([name, known]) => (findProgram(known) ? [name] : []))

export function agentsFor({ fs, home, cwd, wishes = {} }: AgentSurroundings): AgentsToChoose {
  const load = async () => {
    const [{ chooseAgent, nameOf }, making, { loadConfig }, { withLaunch }] = await Promise.all([
      import('../agents/choose.ts'),
      import('./make-agent.ts'),
      import('../config/load.ts'),
      import('../surfaces/cli/launch-config.ts'),
    ])
    const { config, instructions } = await withLaunch(await loadConfig(fs), {}, cwd)
    const choose = (wish: Wishes) => chooseAgent(wish, config, process.env)
    return { choose, nameOf, ...making, config, instructions }
  }
  return {
    list: () => [
      ...agentsHere().map((name) => ({ name, about: 'on this machine' })),
      { name: 'model', about: 'a model by its API, as configured' },
      { name: 'offline', about: 'no model: does what is spelled out' },
    ],
    async make(name) {
      const { choose, makeAgent, config, instructions } = await load()
      const choice = choose({ agent: name })
      if (choice.kind === 'command') requireProgram(choice.words[0] ?? '')
      return makeAgent(choice, config, { instructions, fs, services: openHomeServices({ home }) })
    },
    async usual() {
      const { choose, nameOf } = await load()
      return nameOf(choose(wishes))
    },
    async models(agent, signal) {
      const { choose, modelOf } = await load()
      const choice = choose(agent === undefined ? wishes : { ...wishes, agent })
      if (choice.kind !== 'model') return { offered: [] }
      const configured = choice.model.name
      const { listModels } = await import('../agents/model/list-models.ts')
      try {
        const listed = await listModels(modelOf(choice.model), signal)
        return { configured, offered: listed.map(({ name }) => name) }
      } catch (error) {
        return { configured, offered: [], trouble: errorText(error) }
      }
    },
  }
}

export function requireProgram(word: string): void {
  if (word.includes('/') || isOnPath(word)) return
  throw new EngineError(
    'not_found',
    `There is no agent and no program "${word}" here. Nothing was changed. /agent lists what there is.`,
  )
}
