/** Replaces one passage of a text file. The passage must be there exactly once, so that no other place can be hit. */
import { z } from 'zod'
import { diff } from './diff.ts'
import { readProjectText, writeProjectText } from './editor.ts'
import { asFailure } from './files.ts'
import { isInProject, locate, mayRead, readingDeed, shown } from './paths.ts'
import { ToolFailure, type Tool, type ToolContext } from './tool.ts'
import { writingDeed } from './writing.ts'

const Args = z.object({
  path: z.string().describe('The file, from the working directory or absolute.'),
  old_str: z
    .string()
    .min(1)
    .describe('The passage, exactly as it stands in the file. It must be unique.'),
  new_str: z.string().describe('What shall stand there instead.'),
})
type Args = z.output<typeof Args>

export const edit: Tool<Args> = {
  name: 'edit',
  description: 'Replaces a passage that is in the file exactly once.',
  args: Args,
  async permission(args, context) {
    const isOpen = (await readingDeed(args.path, context, '')) === undefined
    const { before, after } = isOpen
      ? await edited(args, context)
      : await shownChange(args, context)
    return writingDeed(args.path, context, { before, after, verb: 'Edit' })
  },
  async run(args, context) {
    const { file, before, after } = await edited(args, context)
    const name = shown(file, context.cwd)
    try {
      await writeProjectText(file, after, { how: 'replace' }, context)
    } catch (error) {
      throw asFailure(error, `${name} was not changed`)
    }
    return {
      content: `Replaced one passage in ${name}.`,
      detailedContent: diff(name, before, after),
    }
  },
}

/**
 * What is shown to who decides, before it is allowed to read. Outside the project nothing is looked at; in it a refusal
 * tells the model nothing of the file, and waits until it is allowed.
 */
async function shownChange(args: Args, context: ToolContext) {
  const passage = { before: `${args.old_str}\n`, after: `${args.new_str}\n` }
  const file = await locate(args.path, context)
  if (!(await isInProject(file, context)) || !(await mayRead(file, context))) return passage
  return edited(args, context).catch(() => passage)
}

async function edited({ path, old_str: old, new_str: now }: Args, context: ToolContext) {
  const file = await locate(path, context)
  try {
    const before = await readProjectText(file, context)
    const at = before.indexOf(old)
    if (at === -1) throw new ToolFailure('failed', 'The passage is not in the file.')
    if (before.indexOf(old, at + 1) !== -1) {
      throw new ToolFailure(
        'failed',
        'The passage is there more than once. Take more of the text around it.',
      )
    }
    if (old === now) throw new ToolFailure('failed', 'The new text is the old one.')
    return { file, before, after: before.slice(0, at) + now + before.slice(at + old.length) }
  } catch (error) {
    throw asFailure(error, `${shown(file, context.cwd)} was not changed`)
  }
}
