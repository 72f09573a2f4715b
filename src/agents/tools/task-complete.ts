/** The model says that it is done. In autopilot this is what ends the work; elsewhere the user sees it anyway. */
import { z } from 'zod'
import type { Tool } from './tool.ts'

const Args = z.object({
  summary: z.string().describe('What was done, or what is in the way, for the user.'),
  outcome: z.enum(['completed', 'blocked']).optional().describe('`completed` when left out.'),
})
type TaskCompleteArgs = z.output<typeof Args>

export const taskComplete: Tool<TaskCompleteArgs> = {
  name: 'task_complete',
  description: 'In autopilot: says that the whole task is done, or cannot be done. Ends the work.',
  args: Args,
  permission: async () => undefined,
  run: async () => ({ content: 'The user is told.' }),
}
