/** What a session keeps in its own folder: `/session checkpoints`, `/session files`, `/plan`. */
import { z } from 'zod'
import { command } from './command.ts'
import { code, fenced, plain } from './markdown.ts'
import { sizeText } from '../lib/quantities.ts'

export const checkpoints = command({
  name: 'session checkpoints',
  summary: 'its checkpoints; with a number, one of them',
  changes: 'nothing',
  on: 'session',
  args: z.object({
    number: z.coerce.number().int().min(1).optional().describe('the number of a checkpoint'),
  }),
  words: ['number'],
  async run(context, { number }) {
    const session = await context.session()
    return number === undefined
      ? { checkpoints: await session.checkpoints() }
      : { number, text: await session.readCheckpoint(number) }
  },
  say(result) {
    if ('text' in result) return result.text
    if (result.checkpoints.length === 0) return 'There are no checkpoints: /compact makes one.'
    return result.checkpoints
      .map(({ number, title }) => `- checkpoint ${number}: ${plain(title)}`)
      .join('\n')
  },
})

const MOST_SHOWN = 100_000

export const files = command({
  name: 'session files',
  summary: 'the files that it keeps; with a path, one of them',
  changes: 'nothing',
  on: 'session',
  args: z.object({ path: z.string().optional().describe('one of the files') }),
  words: ['path…'],
  async run(context, { path }) {
    const session = await context.session()
    if (path === undefined) return { files: await session.files() }
    const bytes = await session.readFile(path)
    const text = new TextDecoder().decode(bytes.subarray(0, MOST_SHOWN))
    return { path, size: bytes.length, text }
  },
  say(result) {
    if ('text' in result) return fenced(result.text)
    if (result.files.length === 0) return 'This session keeps no files.'
    return result.files
      .map(({ path, size: bytes }) => `- ${code(path)} ${sizeText(bytes)}`)
      .join('\n')
  },
})

export const plan = command({
  name: 'plan',
  aliases: ['session plan'],
  summary: 'show the plan',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  run: async (context) => ({ plan: (await (await context.session()).readPlan()) ?? null }),
  say: ({ plan: text }) => text ?? 'There is no plan. The agent writes one in /mode plan.',
})
