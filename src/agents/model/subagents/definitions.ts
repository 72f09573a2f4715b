/** Whom a task can be given to: custom agents, and those that every session has. Custom ones come before ours. */
import type { CustomAgent } from '../../../guidance/custom-agents.ts'
import { OWN_AGENTS } from '../../../guidance/own-agents.ts'
import type { Tool } from '../../tools/tool.ts'

/** Those that the model may give a task to. */
export const offeredAgents = (custom: readonly CustomAgent[]): readonly CustomAgent[] => {
  const names = new Set(custom.map(({ name }) => name))
  return [
    ...OWN_AGENTS.filter(({ name }) => !names.has(name)),
    ...custom.filter(({ disableModelInvocation }) => !disableModelInvocation),
  ]
}

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
