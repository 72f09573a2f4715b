/** The tools of a model agent by name, always in the same order. One that comes later does not replace an earlier one. */
import { applyPatch } from '../tools/apply-patch.ts'
import { askUser } from '../tools/ask-user.ts'
import { persistentBash } from '../tools/bash.ts'
import { create } from '../tools/create.ts'
import { edit } from '../tools/edit.ts'
import { exitPlanMode } from '../tools/exit-plan-mode.ts'
import { glob } from '../tools/glob.ts'
import { grep } from '../tools/grep.ts'
import { plan } from '../tools/plan.ts'
import { research } from '../tools/research.ts'
import { taskComplete } from '../tools/task-complete.ts'
import type { Tool } from '../tools/tool.ts'
import { view } from '../tools/view.ts'

/** Holds the shells of its sessions: made once for each agent. */
export const ownTools = (): readonly Tool[] =>
  [
    persistentBash(),
    view,
    create,
    edit,
    applyPatch,
    grep,
    glob,
    plan,
    research,
    askUser,
    taskComplete,
  ] as readonly Tool[]

/** Those of plan mode alone. */
export const planTools: readonly Tool[] = [exitPlanMode as Tool<never> as Tool]

export function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const found = new Map<string, Tool>()
  for (const tool of tools) if (!found.has(tool.name)) found.set(tool.name, tool)
  return found
}
