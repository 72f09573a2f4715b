/** The system prompt of a turn, and what every system prompt tells. */
import type { Turn } from '../../engine/agent.ts'
import type { CustomAgent } from '../../guidance/custom-agents.ts'
import type { Guidance } from '../../guidance/guidance.ts'
import { defined } from '../../lib/defined.ts'
import type { ModelConfig } from './config.ts'
import { transformed } from './prompt-sections.ts'
import { promptSections, systemPrompt } from './system-prompt.ts'

export async function promptFor(
  config: ModelConfig,
  turn: Turn,
  guidance: Guidance,
  agent: CustomAgent | undefined,
  signal: AbortSignal,
): Promise<string> {
  const skills = config.offers?.('skill', 'builtin') === false ? [] : skillsIn(guidance)
  const about = { ...promptFacts(config, turn, guidance), skills, ...defined({ agent }) }
  const change = await transformed(config.promptChange, promptSections(about), signal)
  return systemPrompt({ ...about, ...defined({ change }) })
}

export const promptFacts = (
  config: ModelConfig,
  { cwd, workspacePath, state }: Turn,
  guidance: Guidance,
) => ({
  cwd,
  workspacePath,
  project: state.project,
  mode: state.mode,
  instructionFiles: guidance.instructions.filter(({ isOn }) => isOn),
  ...defined({ instructions: config.instructions, canvases: config.canvases }),
})

/** Those that the model itself may take up. */
export const skillsIn = ({ skills }: Guidance) =>
  skills.filter(({ isOn, disableModelInvocation }) => isOn && !disableModelInvocation)
