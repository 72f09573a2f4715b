/**
 * The agent that any model can be: an endpoint that speaks one of three dialects, and tools of ours. It speaks itself, as
 * the custom agent that was chosen, and through sub-agents that it gives tasks to.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type {
  Agent,
  AgentItem,
  TitleRequest,
  ToolTurn,
  Turn,
  UserCall,
} from '../../engine/agent.ts'
import type { Draft } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import { namedAgent, type CustomAgent } from '../../guidance/custom-agents.ts'
import { readGuidance, type Guidance } from '../../guidance/guidance.ts'
import { skillCommand } from '../../guidance/skills.ts'
import { merging, type Merging } from '../../lib/merging.ts'
import type { Tool } from '../tools/tool.ts'
import { askAside } from './ask-aside.ts'
import { stopRunning } from '../tools/running-commands.ts'
import { callTool } from './call-tools.ts'
import { definitionOf as toolDefinition } from './build-request.ts'
import { agentServers } from './agent-servers.ts'
import type { ModelConfig, ModelParts, SubagentSettings } from './config.ts'
import { converse } from './agent-loop.ts'
import { inMode } from './plan-mode.ts'
import { promptFor, skillsIn } from './prompt-for.ts'
import { skillTool } from './skill-tool.ts'
import { mayUse } from './subagents/definitions.ts'
import type { Working } from './subagents/running-tasks.ts'
import { subagentControls } from './subagents/controls.ts'
import { prepareSubagent } from './subagents/prepare.ts'
import { gatherTeam, type Team } from './subagents/team.ts'
import { sample } from './sample.ts'
import { summarise } from './summarise.ts'
import { makeTitle } from './title.ts'
import { byName, ownTools, planTools } from './tool-set.ts'
import { windowIn } from './windows.ts'

type Items<Result> = AsyncGenerator<AgentItem, Result, undefined>
type HandCall = UserCall & { readonly toolCallId: string }

const realParts: ModelParts = {
  newId: randomUUID,
  now: () => performance.now(),
  wait: async (ms, signal) => void (await sleep(ms, undefined, { signal })),
}

export function modelAgent(config: ModelConfig, given: Partial<ModelParts> = {}): Agent {
  const parts: ModelParts = { ...realParts, ...given }
  const { offers = () => true, subagents } = config
  const subagentSettings = (): SubagentSettings => subagents?.() ?? {}
  const ofOurs = () => ownTools().filter(({ name }) => offers(name, 'builtin'))
  const own = ofOurs()
  const servers = agentServers(config)
  const around = { config, parts, servers, own: ofOurs, settings: subagentSettings }
  const teams = new Map<SessionId, Team>()
  let toldSkills: Notice | undefined
  /** Those of servers are known once they were asked. */
  let known: readonly Tool[] = [...own, ...(config.extraTools ?? [])]

  async function* run(asked: Turn, signal: AbortSignal): Items<void> {
    const items = merging<AgentItem>()
    const mode = { now: asked.state.mode as string }
    items.add(lead(inMode(asked, mode), items, signal))
    try {
      for await (const item of items.items()) {
        if ('draft' in item && item.draft.type === 'session.mode_changed')
          mode.now = item.draft.data.newMode
        yield item
      }
    } finally {
      teams.get(asked.sessionId)?.close()
      teams.delete(asked.sessionId)
    }
  }

  /** The agent itself; its sub-agents join it. */
  async function* lead(turn: Turn, items: Merging<AgentItem>, signal: AbortSignal): Items<void> {
    const guidance = await guidanceOf(turn)
    const agent = namedAgent(guidance.agents, turn.state.agentName)
    const system = await promptFor(config, turn, guidance, agent, signal)
    if (system !== turn.context.system)
      yield { draft: { type: 'system.message', data: { content: system, role: 'system' } } }
    const ofServers = yield* servers.toolsFor(agent, signal)
    yield* servers.troubles(turn.sessionId)
    const tell = (draft: Draft) => items.add(once({ draft }))
    const prepare = (task: Working) =>
      prepareSubagent(around, turn, task, guidance, [...ofServers, ...team.toolsFor(task)], signal)
    const given = { newId: parts.newId, settings: subagentSettings, prepare }
    const team = gatherTeam(turn, guidance, items, given, signal)
    teams.set(turn.sessionId, team)
    const all = [
      ...own,
      ...(config.extraTools ?? []),
      ...besides(turn, guidance, team, tell),
      ...ofServers,
    ]
    const tools = byName(all.filter((tool) => isOffered(agent, tool)))
    known = [...tools.values()]
    const model = turn.state.model ?? agent?.model ?? config.model
    const loaded = skillsLoaded(guidance)
    if (!isDeepStrictEqual(loaded, toldSkills)) yield { notice: (toldSkills = loaded) }
    yield { notice: { type: 'session.tools_updated', data: { model } } }
    if (turn.task !== undefined) await team.take(turn.task)
    const { how } = yield* converse(
      turn,
      {
        config: config.at?.(model) ?? config,
        parts,
        system,
        tools,
        model,
        reasoningEffort:
          turn.state.reasoningEffort ?? agent?.reasoningEffort ?? config.reasoningEffort,
        isSilent: turn.task !== undefined,
        tellsRounds: true,
        more: (conversation) => team.more(tools, conversation),
      },
      signal,
    )
    team.close()
    if (how === 'rejected') yield { draft: STOPPED }
  }

  /** What a client keeps from the usual agent is kept from no other. */
  const isOffered = (agent: CustomAgent | undefined, tool: Tool): boolean =>
    agent === undefined ? config.notForUsual?.(tool.name) !== true : mayUse(agent, tool)

  /** Tools that know of the turn. */
  const besides = (
    { state }: Turn,
    guidance: Guidance,
    team: Team,
    tell: (draft: Draft) => void,
  ): readonly Tool[] => {
    const skills = skillsIn(guidance)
    return [
      ...(state.mode === 'plan' ? planTools : []),
      ...(skills.length > 0 ? [skillTool(() => skills, tell) as Tool] : []),
      ...team.tools,
    ].filter(({ name }) => offers(name, 'builtin'))
  }

  /** One of its tools, without its model. Those that know of a turn are not there. */
  async function* byHand(
    turn: ToolTurn,
    { toolCallId: id, toolName: name, arguments: args }: HandCall,
    signal: AbortSignal,
  ): Items<void> {
    const ofServers = yield* servers.toolsFor(undefined, signal)
    const all = [...own, ...(config.extraTools ?? []), ...ofServers]
    const tools = byName(all.filter((tool) => isOffered(undefined, tool)))
    yield* callTool(turn, tools, { id, name, arguments: args }, signal)
  }

  const guidanceOf = ({ cwd, state }: Pick<Turn, 'cwd' | 'state'>): Promise<Guidance> =>
    readGuidance(config.guidance ?? {}, { cwd, gitRoot: state.project.gitRoot }, state.switches)

  return {
    callTool: byHand,
    stopCommand: stopRunning,
    name: `${config.provider}/${config.model}`,
    completesTasks: true,
    continues: true,
    takesFiles: true,
    run,
    summarise: (request, signal) => summarise({ config, parts, tools: own }, request, signal),
    askAside: (request, signal) => askAside({ config, parts }, request, signal),
    sample: (request, signal) => sample({ config, parts }, request, signal),
    ...(config.titles !== undefined && {
      title: (request: TitleRequest, signal: AbortSignal) =>
        makeTitle({ config, parts }, request, signal),
    }),
    guidance: guidanceOf,
    contextWindow: (model) => windowIn({ ...config, name: config.model }, model),
    toolDefinitions: () => known.map(toolDefinition),
    subagents: subagentControls(teams, guidanceOf, subagentSettings),
    close: servers.close,
  }
}

/** In the words of the Copilot SDK. */
const skillsLoaded = ({ skills }: Guidance): Notice => ({
  type: 'session.skills_loaded',
  data: {
    skills: skills.map(({ description, source, userInvocable, isOn, path, ...named }) => ({
      name: named.name,
      commandName: skillCommand(named),
      description,
      source,
      userInvocable,
      enabled: isOn,
      path,
    })),
  },
})

async function* once(item: AgentItem): Items<void> {
  yield item
}

const STOPPED: Draft = { type: 'abort', data: { reason: 'user_initiated' } }
