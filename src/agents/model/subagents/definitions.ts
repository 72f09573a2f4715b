/** Whom a task can be given to: custom agents, and those that every session has. Custom ones come before ours. */
import type { CustomAgent } from '../../../guidance/custom-agents.ts'
import { OWN_AGENTS } from '../../../guidance/own-agents.ts'
import type { Tool } from '../../tools/tool.ts'
import type { SubagentSettings } from '../config.ts'

/** Those that can be set to work. */
export const allAgents = (
  custom: readonly CustomAgent[],
  { disabled = [] }: SubagentSettings,
): readonly CustomAgent[] => {
  const names = new Set(custom.map(({ name }) => name))
  const all = [...OWN_AGENTS.filter(({ name }) => !names.has(name)), ...custom]
  return all.filter(({ name }) => !disabled.includes(name))
}

/** Those that the model may give a task to. */
export const offeredAgents = (
  custom: readonly CustomAgent[],
  settings: SubagentSettings = {},
): readonly CustomAgent[] =>
  allAgents(custom, settings).filter(
    ({ name, disableModelInvocation }) =>
      !disableModelInvocation && settings.agents?.[name]?.autoInvoke !== false,
  )

/** Whether the agent may use the tool. Its list has names, the usual words for kinds of tools, and `server/tool`. */
export function mayUse({ tools }: Pick<CustomAgent, 'tools'>, tool: Tool): boolean {
  if (tools === undefined) return true
  const { name, formerName, server } = tool
  const names = new Set([name, formerName, ...(KINDS[name] ?? [])])
  if (server !== undefined) {
    names.add(`${server.mcpServerName}/${server.mcpToolName}`)
    names.add(`${server.mcpServerName}/*`)
  }
  return tools.some((each) => names.has(each))
}

/** Words by which agent files mean our tools. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  bash: ['execute', 'shell', 'Bash'],
  view: ['read', 'Read', 'NotebookRead'],
  create: ['edit', 'write', 'Write'],
  edit: ['Edit', 'MultiEdit', 'write'],
  apply_patch: ['edit', 'Edit', 'write'],
  append: ['edit', 'write'],
  grep: ['search', 'Grep'],
  glob: ['search', 'Glob'],
  task: ['agent', 'custom-agent', 'Task'],
}
