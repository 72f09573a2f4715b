/**
 * Finds a regular expression in files, by RE2: a pattern that could take for ever to match does not exist here.
 * Gives a bounded number of lines; binary and very large files are passed over.
 */
import { z } from 'zod'
import { decodeText } from '../../lib/bytes.ts'
import { errorText } from '../../lib/error-text.ts'
import { preview } from '../../state/preview.ts'
import { asFailure, looksBinary, openFile } from './files.ts'
import { compileGlob } from '../../lib/match-glob.ts'
import { locate, mayRead, quoteOdd, readingDeed, shown } from './paths.ts'
import { ToolFailure, type Tool } from './tool.ts'
import { UNFINISHED, walk } from './walk.ts'

const Args = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('A regular expression as of ripgrep, without look-around. It does not span lines.'),
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
    'Finds a regular expression in files: path, line number and line. Leaves out .git and node_modules.',
  args: Args,
  isReadOnly: true,
  permission: ({ pattern, path = '.' }, context) =>
    readingDeed(path, context, `Search ${quoteOdd(path)} for ${JSON.stringify(preview(pattern))}`),
  async run({ pattern, path = '.', glob = '**', ignore_case: anyCase = false }, context) {
    const fits = compileGlob(glob)
    if (fits === undefined) {
      throw new ToolFailure('invalid_arguments', 'The pattern has too many alternatives in braces.')
    }
    const found: string[] = []
    const isMeant = await matcherOf(pattern, anyCase)
    const root = await locate(path, context)
    try {
      for await (const file of walk(root, context.signal)) {
        if (file === 'unfinished') {
          found.push(UNFINISHED)
          break
        }
        if (!fits(file.path) || !(await mayRead(file.place, context))) continue
        const text = await textOf(file.place)
        if (text === undefined) continue
        for (const [index, line] of text.split('\n').entries()) {
          if (!isMeant(line.endsWith('\r') ? line.slice(0, -1) : line)) continue
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

async function matcherOf(pattern: string, anyCase: boolean): Promise<(line: string) => boolean> {
  if (!anyCase && !/[\\^$.|?*+()[\]{}]/.test(pattern)) return (line) => line.includes(pattern)
  const { RE2JS } = await import('re2js')
  try {
    const expression = RE2JS.compile(pattern, anyCase ? RE2JS.CASE_INSENSITIVE : 0)
    return (line) => expression.test(line)
  } catch (error) {
    throw new ToolFailure(
      'invalid_arguments',
      `${JSON.stringify(preview(pattern))} is no regular expression (${errorText(error)}). Nothing was searched. A backslash before a sign takes it as it is.`,
    )
  }
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
