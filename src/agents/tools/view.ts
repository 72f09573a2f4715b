/**
 * Shows a text file with its line numbers, whole or a range, a picture as it is, or what is in a folder. Never more than
 * 1 MiB of text.
 */
import { readdir, stat } from 'node:fs/promises'
import { z } from 'zod'
import { decodeText } from '../../lib/bytes.ts'
import { textOnScreen } from './editor.ts'
import { MAX_TEXT_BYTES, asFailure, looksBinary, openFile } from './files.ts'
import { locate, quoteOdd, readingDeed, shown } from './paths.ts'
import { pictureAt, type Picture } from './picture.ts'
import { ToolFailure, type Tool, type ToolContext, type ToolResult } from './tool.ts'

const Args = z.object({
  path: z.string().describe('A file or folder, from the working directory or absolute.'),
  view_range: z
    .tuple([z.int().min(1), z.int().min(-1)])
    .optional()
    .describe(
      'First and last line, counted from 1. -1 as the last stands for the end of the file.',
    ),
})

const MAX_ENTRIES = 1000

export const view: Tool<z.output<typeof Args>> = {
  name: 'view',
  description: 'Shows a text file with line numbers, a picture, or the names in a folder.',
  args: Args,
  isReadOnly: true,
  permission: ({ path }, context) => readingDeed(path, context, `Read ${quoteOdd(path)}`),
  async run({ path, view_range: range }, context) {
    const place = await locate(path, context)
    try {
      const isFolder = (await stat(place)).isDirectory()
      const picture = isFolder ? undefined : await pictureAt(place)
      if (picture !== undefined) return pictureResult(picture, shown(place, context.cwd))
      return { content: isFolder ? await namesIn(place) : await linesOf(place, range, context) }
    } catch (error) {
      throw asFailure(error, `${shown(place, context.cwd)} cannot be shown`)
    }
  },
}

const pictureResult = (picture: Picture, path: string): ToolResult => ({
  content: 'Viewed image file successfully.',
  binaryResultsForLlm: [{ type: 'image', ...picture, description: path }],
})

async function namesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .map((entry) => quoteOdd(entry.name) + (entry.isDirectory() ? '/' : ''))
    .sort()
  const left = names.length - MAX_ENTRIES
  return [...names.slice(0, MAX_ENTRIES), ...(left > 0 ? [`… and ${left} more`] : [])].join('\n')
}

async function linesOf(
  place: string,
  [first, last]: readonly [number, number] = [1, -1],
  context: ToolContext,
): Promise<string> {
  const { signal } = context
  if (last !== -1 && last < first) {
    throw new ToolFailure(
      'invalid_arguments',
      `The range ends (${last}) before it starts (${first}).`,
    )
  }
  const onScreen = await textOnScreen(place, context)
  if (onScreen !== undefined) return linesIn(onScreen, first, last)
  const file = await openFile(place)
  const { size } = await file.stat()
  const wanted = last === -1 ? Infinity : last
  const kept: Uint8Array[] = []
  let line = 1
  let keptBytes = 0
  for await (const chunk of file.createReadStream({ signal }) as AsyncIterable<Buffer>) {
    if (line === 1 && kept.length === 0 && looksBinary(chunk)) {
      throw new ToolFailure('failed', `It is a binary file of ${size} bytes.`)
    }
    let at = 0
    while (at < chunk.length && line < first) {
      const newline = chunk.indexOf(0x0a, at)
      if (newline === -1) break
      at = newline + 1
      line++
    }
    if (line < first) continue
    const from = at
    while (at < chunk.length && line <= wanted) {
      const newline = chunk.indexOf(0x0a, at)
      at = newline === -1 ? chunk.length : newline + 1
      if (newline !== -1) line++
    }
    const piece = chunk.subarray(from, Math.min(at, from + MAX_TEXT_BYTES - keptBytes))
    kept.push(piece)
    keptBytes += piece.length
    if (line > wanted || keptBytes === MAX_TEXT_BYTES) break
  }
  if (keptBytes === 0 && first > 1)
    throw new ToolFailure('failed', `It has fewer than ${first} lines.`)
  const text = decodeText(Buffer.concat(kept))
  const cut = keptBytes === MAX_TEXT_BYTES ? `\n… cut after 1 MiB; the file has ${size} bytes` : ''
  return numbered(text, first) + cut
}

function linesIn(text: string, first: number, last: number): string {
  const lines = text.split(/(?<=\n)/).slice(first - 1, last === -1 ? undefined : last)
  if (lines.length === 0 && first > 1)
    throw new ToolFailure('failed', `It has fewer than ${first} lines.`)
  const bytes = Buffer.from(lines.join(''))
  const cut = bytes.length > MAX_TEXT_BYTES ? '\n… cut after 1 MiB' : ''
  return numbered(decodeText(bytes.subarray(0, MAX_TEXT_BYTES)), first) + cut
}

function numbered(text: string, first: number): string {
  if (text === '') return '(empty)'
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.map((line, index) => `${first + index}. ${line}`).join('\n')
}
