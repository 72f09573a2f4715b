/** The plan of the session, in its own folder: reads it, or writes it whole. Needs no leave. */
import { join } from 'node:path'
import { layout } from '../../format/layout.ts'
import { z } from 'zod'
import { asFailure, readText, writeText } from './files.ts'
import { kindOf } from './paths.ts'
import { ToolFailure, type Tool, type ToolContext } from './tool.ts'

const Args = z.object({
  text: z
    .string()
    .optional()
    .describe('All that the plan shall say, in Markdown. Left out, the plan is read.'),
})

export const plan: Tool<z.output<typeof Args>> = {
  name: 'plan',
  description:
    'Reads the plan of this session, or writes it when a text is given. Use it to keep track of work in several steps.',
  args: Args,
  permission: async () => undefined,
  async run({ text }, context) {
    const file = await placeOf(context)
    try {
      if (text === undefined) {
        if ((await kindOf(file)) === undefined) return { content: 'There is no plan yet.' }
        return { content: await readText(file) }
      }
      await writeText(file, text, { how: 'replace', mode: 0o600 })
      return { content: 'The plan is written.' }
    } catch (error) {
      throw asFailure(error, `The plan could not be ${text === undefined ? 'read' : 'written'}`)
    }
  },
}

async function placeOf({ workspacePath }: ToolContext): Promise<string> {
  if ((await kindOf(workspacePath)) === 'folder')
    return join(workspacePath, layout.session.plan.path)
  const message = 'This session does not live on this disk: its plan cannot be reached.'
  throw new ToolFailure('failed', message)
}
