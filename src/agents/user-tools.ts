/** The tools that a person may have run: those that every agent of ours has, with a shell that stays where it was left. */
import type { UserTools } from '../engine/agent.ts'
import { callTool } from './model/call-tools.ts'
import { byName } from './model/tool-set.ts'
import { persistentBash } from './tools/bash.ts'
import { builtinTools } from './tools/builtin.ts'
import type { Tool } from './tools/tool.ts'

export function userTools(): UserTools {
  const tools = byName([persistentBash(), ...Object.values(builtinTools)] as readonly Tool[])
  return (turn, { toolCallId, toolName, arguments: given }, signal) =>
    callTool(turn, tools, { id: toolCallId, name: toolName, arguments: given }, signal)
}
