/** What an agent is told besides what was said, each part with whether it counts now: for the agent and for people. */
import { listCustomAgents, type CustomAgent } from './custom-agents.ts'
import { isNamed, listInstructionSources, type InstructionSource } from './instructions.ts'
import type { GuidancePlaces } from './places.ts'
import { listSkills, type Skill } from './skills.ts'

export type Guidance = {
  readonly instructions: readonly Switchable<InstructionSource>[]
  readonly agents: readonly CustomAgent[]
  readonly skills: readonly Switchable<Skill>[]
}

export type Switchable<Part> = Part & { readonly isOn: boolean }

export type GuidanceKind = 'instructions' | 'skills'

/** What a person switched in one session, by kind and name. It goes before what is configured. */
type Switches = Readonly<Record<string, boolean>>

const switchKey = (kind: GuidanceKind, name: string): string => `${kind}:${name}`

export type GuidanceConfig = {
  readonly userHome?: string
  readonly repriseHome?: string
  readonly instructionDirectories?: readonly string[]
  /** By id or path. */
  readonly instructionsOff?: readonly string[] | 'all'
  readonly skillDirectories?: readonly string[]
  readonly skillsOff?: readonly string[] | 'all'
  readonly agentDirectories?: readonly string[]
  /** Those of a connected program. */
  readonly customAgents?: readonly CustomAgent[]
}

export async function readGuidance(
  config: GuidanceConfig,
  place: Pick<GuidancePlaces, 'cwd' | 'gitRoot'>,
  switches: Switches = {},
): Promise<Guidance> {
  const { userHome, repriseHome, instructionsOff = [], skillsOff = [] } = config
  const among = (directories: readonly string[] | undefined): GuidancePlaces => ({
    ...place,
    userHome,
    repriseHome,
    directories,
  })
  const [sources, agents, skills] = await Promise.all([
    listInstructionSources(among(config.instructionDirectories)),
    listCustomAgents(among(config.agentDirectories), config.customAgents),
    listSkills(among(config.skillDirectories)),
  ])
  const isOn = (kind: GuidanceKind, name: string, isOff: boolean) =>
    switches[switchKey(kind, name)] ?? !isOff
  return {
    instructions: sources.map((source) => ({
      ...source,
      isOn: isOn(
        'instructions',
        source.id,
        instructionsOff === 'all' || isNamed(source, instructionsOff),
      ),
    })),
    agents,
    skills: skills.map((skill) => ({
      ...skill,
      isOn: isOn('skills', skill.name, skillsOff === 'all' || skillsOff.includes(skill.name)),
    })),
  }
}
