/** Who answers and what it may do: `/model`, `/mode`, `/agent`, `/permissions`. */
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { command } from './command.ts'
import { plain } from './markdown.ts'

export const model = command({
  name: 'model',
  summary: 'ask another model',
  changes: 'settings',
  on: 'session',
  args: z.object({
    name: z.string().optional().describe('the model to ask from here on'),
    effort: z.string().optional().describe('how long it thinks, where it can be told'),
  }),
  words: ['name', 'effort'],
  async run(context, { name, effort }) {
    const session = await context.session()
    if (name === undefined)
      return { model: (await session.state()).model ?? null, isChanged: false }
    await session.setModel({ model: name, ...defined({ reasoningEffort: effort }) })
    return { model: name, isChanged: true }
  },
  say: ({ model: name, isChanged }) =>
    isChanged
      ? `From here on ${plain(name ?? '')} is asked.`
      : name === null
        ? 'No model is chosen: the agent has its own.'
        : `The model is ${plain(name)}.`,
})

const modes = [
  ['interactive', 'ask before anything is changed'],
  ['plan', 'think and write a plan, change nothing'],
  ['autopilot', 'go on until the task is done'],
] as const

export const mode = command({
  name: 'mode',
  summary: 'how the agent works',
  changes: 'settings',
  on: 'session',
  args: z.object({
    mode: z
      .enum(modes.map(([name]) => name))
      .optional()
      .describe('interactive, plan or autopilot'),
  }),
  words: ['mode'],
  choices: modes,
  async run(context, { mode: wanted }) {
    const session = await context.session()
    if (wanted !== undefined) await session.setMode(wanted)
    return { mode: wanted ?? (await session.state()).mode }
  },
  say: ({ mode: now }) => `Mode: ${now}.`,
})

export const agent = command({
  name: 'agent',
  summary: 'have another agent answer; it is given what was said',
  changes: 'settings',
  needs: 'agents',
  on: 'session',
  args: z.object({ name: z.string().optional().describe('its name, or the command to start it') }),
  words: ['name…'],
  async run(context, { name }) {
    const { agents } = context
    if (agents === undefined || name === undefined) return { agents: agents?.list() ?? [] }
    await (await context.session()).setAgent(await agents.make(name))
    return { agent: name }
  },
  say: (result) =>
    'agent' in result
      ? `${plain(result.agent)} answers.`
      : result.agents.map(({ name, about }) => `- ${plain(name)}: ${plain(about)}`).join('\n'),
})

export const permissions = command({
  name: 'permissions',
  summary: 'what is asked before it is done',
  changes: 'settings',
  needs: 'permissions',
  on: 'home',
  args: z.object({
    rule: z.enum(['ask', 'allow-all']).optional().describe('ask or allow-all'),
  }),
  words: ['rule'],
  choices: [
    ['ask', 'ask before anything is run or written'],
    ['allow-all', 'allow everything until you leave'],
  ],
  async run({ permissions: given }, { rule }) {
    if (given !== undefined && rule !== undefined) given.allowAll = rule === 'allow-all'
    return { allowAll: given?.allowAll ?? false }
  },
  say: ({ allowAll }) =>
    allowAll
      ? 'Everything is allowed until you leave. /permissions ask asks again.'
      : 'You are asked before anything is run or written. /permissions allow-all allows everything until you leave; ' +
        'rules that stay are in the configuration.',
})
