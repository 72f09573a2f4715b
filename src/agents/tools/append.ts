/** Adds text to the end of a file, which is made when it is missing. */
import { z } from 'zod'
import { writeProjectText } from './editor.ts'
import { asFailure } from './files.ts'
import { locate, shown } from './paths.ts'
import type { Tool } from './tool.ts'
import { modeFor, textNow, writingDeed } from './writing.ts'

const Args = z.object({
  path: z.string().describe('The file, from the working directory or absolute.'),
  text: z
    .string()
    .describe('What is added. It starts where the file ends, without a newline in between.'),
})

export const append: Tool<z.output<typeof Args>> = {
  name: 'append',
  description: 'Adds text to the end of a file. A missing file is created.',
  args: Args,
  async permission({ path, text }, context) {
    const before = await textNow(path, context)
    return writingDeed(path, context, { before, after: (before ?? '') + text, verb: 'Append to' })
  },
  async run({ path, text }, context) {
    const file = await locate(path, context)
    const name = shown(file, context.cwd)
    try {
      const options = { how: 'append', ...(await modeFor(file, context)) } as const
      await writeProjectText(file, text, options, context)
    } catch (error) {
      throw asFailure(error, `Nothing was added to ${name}`)
    }
    return { content: `Added ${Buffer.byteLength(text)} bytes to ${name}.` }
  },
}
