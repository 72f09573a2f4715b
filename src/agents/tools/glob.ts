/** Finds files by their names. Gives a bounded number of paths, sorted, and says when there were more. */
import { z } from 'zod'
import { asFailure } from './files.ts'
import { compileGlob } from '../../lib/match-glob.ts'
import { locate, mayRead, quoteOdd, readingDeed, shown } from './paths.ts'
import { ToolFailure, type Tool } from './tool.ts'
import { UNFINISHED, walk } from './walk.ts'

const Args = z.object({
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .describe('As in `src/**/*.ts`: `*`, `?`, `[a-z]`, `**`, `{a,b}`.'),
  path: z
    .string()
    .optional()
    .describe('The folder to look in; the working directory when left out.'),
})

const MAX_FOUND = 1000

export const glob: Tool<z.output<typeof Args>> = {
  name: 'glob',
  description: 'Finds files whose path fits a pattern. Leaves out .git and node_modules.',
  args: Args,
  isReadOnly: true,
  permission: ({ pattern, path = '.' }, context) =>
    readingDeed(path, context, `List files in ${quoteOdd(path)} that fit ${quoteOdd(pattern)}`),
  async run({ pattern, path = '.' }, context) {
    const fits = compileGlob(pattern)
    if (fits === undefined) {
      throw new ToolFailure('invalid_arguments', 'The pattern has too many alternatives in braces.')
    }
    const root = await locate(path, context)
    const found: string[] = []
    try {
      for await (const file of walk(root, context.signal)) {
        if (file === 'unfinished' || found.length === MAX_FOUND) {
          found.push(file === 'unfinished' ? UNFINISHED : '… and there may be more')
          break
        }
        if (fits(file.path) && (await mayRead(file.place, context))) found.push(quoteOdd(file.path))
      }
    } catch (error) {
      throw asFailure(error, `${shown(root, context.cwd)} cannot be searched`)
    }
    return { content: found.length === 0 ? 'No file fits.' : found.join('\n') }
  },
}
