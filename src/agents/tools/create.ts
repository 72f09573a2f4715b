/** Writes a file: a new one, with the folders on its way, or in place of what is there. */
import { z } from 'zod'
import { diff } from './diff.ts'
import { writeProjectText } from './editor.ts'
import { asFailure } from './files.ts'
import { locate, shown } from './paths.ts'
import type { Tool } from './tool.ts'
import { modeFor, textNow, writingDeed } from './writing.ts'

const Args = z.object({
  path: z.string().describe('The file, from the working directory or absolute.'),
  file_text: z.string().describe('All that the file shall hold.'),
})

export const create: Tool<z.output<typeof Args>> = {
  name: 'create',
  description: 'Creates a file with this content. A file that is there is overwritten.',
  args: Args,
  async permission({ path, file_text: after }, context) {
    const before = await textNow(path, context)
    const verb = before === undefined ? 'Create' : 'Overwrite'
    return writingDeed(path, context, { before, after, verb })
  },
  async run({ path, file_text: text }, context) {
    const file = await locate(path, context)
    const name = shown(file, context.cwd)
    const before = await textNow(path, context)
    try {
      const options = { how: 'replace', ...(await modeFor(file, context)) } as const
      await writeProjectText(file, text, options, context)
    } catch (error) {
      throw asFailure(error, `${name} was not written`)
    }
    return {
      content: `Wrote ${Buffer.byteLength(text)} bytes to ${name}.`,
      detailedContent: diff(name, before, text),
    }
  },
}
