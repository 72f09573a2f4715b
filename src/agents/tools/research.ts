/** Notes of the session about what was found out, in its own folder `research/`: listed, read, or written whole. Needs no leave. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { layout } from '../../format/layout.ts'
import { folderOf } from '../../format/paths.ts'
import { asFailure, readText, writeText } from './files.ts'
import { kindOf } from './paths.ts'
import { ToolFailure, type Tool, type ToolContext } from './tool.ts'

const Args = z.object({
  name: z
    .string()
    .regex(/^[\w][\w.-]{0,99}$/, 'letters, digits, dots, dashes and underscores')
    .optional()
    .describe('The note, as "parser-libraries.md". Left out, the notes are listed.'),
  text: z
    .string()
    .optional()
    .describe('All that the note shall say, in Markdown, with its sources. Left out, it is read.'),
})

export const research: Tool<z.output<typeof Args>> = {
  name: 'research',
  description:
    'Keeps what was found out in this session as notes that outlive the conversation and can be searched later: lists them, reads one, or writes one when a text is given. Use it for findings with their sources; the plan is for steps.',
  args: Args,
  permission: async () => undefined,
  async run({ name, text }, context) {
    const folder = await placeOf(context)
    try {
      if (name === undefined) return { content: await listed(folder) }
      const file = join(folder, name)
      if (text === undefined) {
        if ((await kindOf(file)) === undefined) return { content: `There is no note ${name} yet.` }
        return { content: await readText(file) }
      }
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeText(file, text, { how: 'replace', mode: 0o600 })
      return { content: `${name} is written.` }
    } catch (error) {
      throw asFailure(error, `The notes could not be ${text === undefined ? 'read' : 'written'}`)
    }
  },
}

async function listed(folder: string): Promise<string> {
  const names = (await kindOf(folder)) === 'folder' ? await readdir(folder) : []
  return names.length === 0 ? 'There are no notes yet.' : names.sort().join('\n')
}

async function placeOf({ workspacePath }: ToolContext): Promise<string> {
  if ((await kindOf(workspacePath)) === 'folder')
    return join(workspacePath, folderOf(layout.session.research))
  const message = 'This session does not live on this disk: its notes cannot be reached.'
  throw new ToolFailure('failed', message)
}
