/** In autopilot the model's word that its task is over becomes an event. */
import type { DraftOf } from '../../format/event.ts'
import type { ToolCall } from '../../state/model-context.ts'
import { taskComplete } from '../tools/task-complete.ts'

export function taskCompleted(
  mode: string,
  calls: readonly ToolCall[],
): DraftOf<'session.task_complete'> | undefined {
  if (mode !== 'autopilot') return undefined
  const call = calls.findLast(({ name }) => name === taskComplete.name)
  const args = taskComplete.args.safeParse(call?.arguments)
  if (!args.success) return undefined
  const { summary, outcome = 'completed' } = args.data
  return {
    type: 'session.task_complete',
    data: { summary, success: outcome === 'completed', outcome },
  }
}
