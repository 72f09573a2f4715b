/** What a session keeps in its own folder: `/session checkpoints`, `/session files`, `/plan`. */
import { z } from 'zod'
import { command } from './command.ts'
import { code, fenced, plain } from './markdown.ts'
import { ago, sizeText } from '../lib/quantities.ts'

export const checkpoints = command({
  name: 'session checkpoints',
  summary: 'the checkpoints of the session; with a number, one of them',
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
  say(result, { call }) {
    if (result.text !== undefined) return result.text
    if (result.checkpoints.length === 0)
      return `There are no checkpoints: ${call('compact')} makes one.`
    return result.checkpoints
      .map(({ number, title }) => `- checkpoint ${number}: ${plain(title)}`)
      .join('\n')
  },
})

const MOST_SHOWN = 100_000

export const files = command({
  name: 'session files',
  summary: 'the files that the session keeps; with a path, one of them',
  changes: 'nothing',
  on: 'session',
  args: z.object({ path: z.string().optional().describe('one of the files') }),
  words: ['path…'],
  async run(context, { path }) {
    const session = await context.session()
    if (path !== undefined) {
      const bytes = await session.readFile(path)
      return { path, size: bytes.length, base64: Buffer.from(bytes).toString('base64') }
    }
    const files = (await session.files()).map(({ mtimeMs, ...file }) => ({
      path: file.path,
      size: file.size,
      modifiedAt: new Date(mtimeMs).toISOString(),
    }))
    return { files }
  },
  say(result, { now }) {
    if (result.base64 !== undefined)
      return fenced(Buffer.from(result.base64, 'base64').subarray(0, MOST_SHOWN).toString('utf8'))
    if (result.files.length === 0) return 'This session keeps no files.'
    return result.files
      .map(
        ({ path, size, modifiedAt }) =>
          `- ${code(path)} ${sizeText(size)} · ${ago(modifiedAt, now())}`,
      )
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
  async run(context) {
    const session = await context.session()
    return { id: session.id, plan: (await session.readPlan()) ?? null }
  },
  say: ({ plan: text }, { call }) =>
    text ?? `There is no plan. The agent writes one in ${call('mode', 'plan')}.`,
})

export const planSet = command({
  name: 'plan set',
  summary: 'write the plan yourself',
  changes: 'conversation',
  on: 'session',
  args: z.object({ text: z.string().describe('the new plan') }),
  words: ['text…'],
  async run(context, { text }) {
    const session = await context.session()
    await session.writePlan(text)
    return { id: session.id, plan: text }
  },
  say: () => 'The plan is set.',
})

export const planDelete = command({
  name: 'plan delete',
  summary: 'remove the plan',
  changes: 'conversation',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    await session.deletePlan()
    return { id: session.id, plan: null }
  },
  say: () => 'The plan is gone.',
})
