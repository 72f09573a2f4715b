/**
 * Finds a text in files, literally: a pattern that could take for ever to match does not exist here.
 * Gives a bounded number of lines; binary and very large files are passed over.
 */
import { z } from 'zod'
import { decodeText } from '../../lib/bytes.ts'
import { preview } from '../../state/preview.ts'
import { asFailure, looksBinary, openFile } from './files.ts'
import { compileGlob } from '../../lib/match-glob.ts'
import { locate, mayRead, quoteOdd, readingDeed, shown } from './paths.ts'
import type { Tool } from './tool.ts'
import { ToolFailure } from './tool.ts'
import { UNFINISHED, walk } from './walk.ts'

const Args = z.object({
  pattern: z.string().min(1).describe('The text, taken literally. It does not span lines.'),
  path: z
    .string()
    .optional()
    .describe('The folder to look in; the working directory when left out.'),
  glob: z.string().max(1000).optional().describe('Only files whose path fits, as in `**/*.ts`.'),
  ignore_case: z.boolean().optional(),
})

const MAX_FOUND = 200
const MAX_FILE_BYTES = 8 * 1024 * 1024

export const grep: Tool<z.output<typeof Args>> = {
  name: 'grep',
  description:
    'Finds a literal text in files: path, line number and line. Leaves out .git and node_modules.',
  args: Args,
  isReadOnly: true,
  permission: ({ pattern, path = '.' }, context) =>
    readingDeed(path, context, `Search ${quoteOdd(path)} for ${JSON.stringify(preview(pattern))}`),
  async run({ pattern, path = '.', glob = '**', ignore_case: anyCase = false }, context) {
    const fits = compileGlob(glob)
    if (fits === undefined) {
      throw new ToolFailure('invalid_arguments', 'The pattern has too many alternatives in braces.')
    }
    const fold = (text: string) => (anyCase ? text.toLowerCase() : text)
    const needle = fold(pattern)
    const root = await locate(path, context)
    const found: string[] = []
    try {
      for await (const file of walk(root, context.signal)) {
        if (file === 'unfinished') {
          found.push(UNFINISHED)
          break
        }
        if (!fits(file.path) || !(await mayRead(file.place, context))) continue
        const text = await textOf(file.place)
        if (text === undefined || !fold(text).includes(needle)) continue
        for (const [index, line] of text.split('\n').entries()) {
          if (!fold(line).includes(needle)) continue
          if (found.length === MAX_FOUND)
            return { content: [...found, '… and there are more'].join('\n') }
          found.push(`${quoteOdd(file.path)}:${index + 1}: ${preview(line, 300)}`)
        }
      }
    } catch (error) {
      throw asFailure(error, `${shown(root, context.cwd)} cannot be searched`)
    }
    return { content: found.length === 0 ? 'Nothing found.' : found.join('\n') }
  },
}

/** A file that cannot be read, or became a link since its name was read, is passed over. */
async function textOf(place: string): Promise<string | undefined> {
  const file = await openFile(place).catch(() => undefined) // passed over, as said above
  if (file === undefined) return undefined
  try {
    if ((await file.stat()).size > MAX_FILE_BYTES) return undefined
    const bytes = await file.readFile()
    return looksBinary(bytes) ? undefined : decodeText(bytes)
  } finally {
    await file.close()
  }
}
