/** Shows the plan to a person, who lets the work begin or says what the plan lacks. Only in plan mode. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { layout } from '../../format/layout.ts'
import { pathFrom } from '../../format/paths.ts'
import {
  planActionOf,
  planActions,
  planChoices,
  type PlanAction,
} from '../../state/plan-approval.ts'
import { headAndTail } from '../../state/preview.ts'
import type { Tool, ToolResult } from './tool.ts'

const Args = z.object({
  summary: z.string().min(1).describe('The plan in a few short points, for the user to read.'),
  recommendedAction: z
    .enum(planActions)
    .optional()
    .describe('How you would go on: autopilot, interactive (ask before changes) or exit_only.'),
})

export const exitPlanMode: Tool<z.output<typeof Args>> = {
  name: 'exit_plan_mode',
  isElsewhere: true,
  description:
    'In plan mode, once the plan is written: shows it to the user for approval. Approved, plan mode is over and you do what the plan says.',
  args: Args,
  permission: async () => undefined,
  async run({ summary, recommendedAction = 'interactive' }, { ask, workspacePath }) {
    // A plan that was not written down is approved by its summary.
    const planContent = await readFile(`${workspacePath}/${PLAN}`, 'utf8').catch(() => '')
    const answer = await ask?.({
      question: `The plan is ready:\n${[summary, shown(planContent), HOW].filter((part) => part !== '').join('\n\n')}`,
      choices: planChoices(recommendedAction),
      plan: { summary, planContent, actions: [...planActions], recommendedAction },
    })
    if (answer === undefined)
      return { content: 'Nobody was there to approve the plan. Plan mode goes on; end here.' }
    const action = planActionOf(answer)
    return action === undefined ? refused(answer) : approved(action)
  },
}

const PLAN = pathFrom(layout.session.plan)

const HOW = 'How shall it go on? Anything else you say goes to the agent.'

/** More than anybody reads before they answer; the rest is in the file. */
const MOST_SHOWN = 20_000

const shown = (plan: string): string => headAndTail(plan.trim(), MOST_SHOWN)

const refused = (feedback: string): ToolResult => ({
  content: `The plan is not approved.${feedback.trim() === '' ? '' : ` The user says:\n\n${feedback}\n\nChange the plan and ask again.`}`,
})

const approved = (action: PlanAction): ToolResult => {
  const newMode = action === 'autopilot' ? 'autopilot' : 'interactive'
  return {
    content: `The plan is approved, and plan mode is over. ${NEXT[action]}`,
    told: [{ draft: { type: 'session.mode_changed', data: { previousMode: 'plan', newMode } } }],
  }
}

const NEXT: Readonly<Record<PlanAction, string>> = {
  autopilot: 'Do now what it says, to its end, without asking; then call task_complete.',
  interactive: 'Do now what it says; the user is asked before anything is changed.',
  exit_only: 'Do nothing yet: the user says what comes next.',
}
