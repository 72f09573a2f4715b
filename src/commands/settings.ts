/** Who answers and what it may do: `/model`, `/mode`, `/agent`, `/permissions`. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { PermissionStanding } from '../engine/permission/permission-status.ts'
import { defined } from '../lib/defined.ts'
import { optionsOf, valueLine } from './agent-options.ts'
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
    if (name === undefined) {
      const { model: chosen, answeredBy = '' } = await session.state()
      const ofAgent = (await optionsOf(session)).find(({ category }) => category === 'model')
      // A model that answers by itself is named by its provider and its own name.
      const own = ofAgent?.value ?? /^[^/]+\/(.+)$/.exec(answeredBy)?.[1]
      const now = chosen ?? (own === undefined ? null : String(own))
      return { model: now, models: ofAgent?.values ?? [], isChanged: false }
    }
    await session.setModel({ model: name, ...defined({ reasoningEffort: effort }) })
    return { model: name, models: [], isChanged: true }
  },
  say: ({ model: name, models, isChanged }) =>
    isChanged
      ? `${plain(name ?? '')} answers from the next message on.`
      : [
          name === null
            ? 'No model is chosen: the agent has its own.'
            : `The model is ${plain(name)}.`,
          ...models.map((each) => valueLine(each)),
        ].join('\n'),
})

export const modes = [
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
    result.agent !== undefined
      ? `${plain(result.agent)} answers.`
      : result.agents.map(({ name, about }) => `- ${plain(name)}: ${plain(about)}`).join('\n'),
})

export const permissions = command({
  name: 'permissions',
  summary: 'what the agent may do without asking you',
  changes: 'settings',
  needs: 'permissions',
  on: 'session',
  args: z.object({
    rule: z.enum(['ask', 'allow-all', 'revoke']).optional().describe('ask, allow-all or revoke'),
    number: z.string().optional().describe('which answer to take back'),
  }),
  words: ['rule', 'number'],
  choices: [
    ['ask', 'ask again for everything that no rule allows'],
    ['allow-all', 'allow everything until you leave'],
    ['revoke', 'take back one thing that you allowed, by its number'],
  ],
  async run(context, { rule, number }) {
    const { permissions: given } = context
    const session = await context.session()
    if (given !== undefined && (rule === 'ask' || rule === 'allow-all'))
      given.allowAll = rule === 'allow-all'
    if (rule === 'ask') await session.revoke('all')
    if (rule === 'revoke') await session.revoke(numberIn(number))
    return { allowAll: given?.allowAll ?? false, ...(await session.permissions()) }
  },
  say: ({ allowAll, mode: now, allow, deny, grants }) =>
    [
      allowAll
        ? 'Everything is allowed until you leave, but for files of Reprise itself and what a rule denies. `/permissions ask` asks again.'
        : now === 'plan'
          ? 'Plan mode: the agent reads and changes nothing. `/mode interactive` lets it ask for more.'
          : grants.length + allow.length === 0
            ? 'The agent asks you before it runs or writes anything.'
            : 'The agent asks you before it runs or writes anything but this.',
      ...listed('Allowed by you, until you leave', grants.map(grantLine)),
      ...(grants.length > 0
        ? ['`/permissions revoke <number>` takes one back, `/permissions ask` all.']
        : []),
      ...listed(
        'Rules that allow',
        allow.map((rule) => `- \`${rule}\``),
      ),
      ...listed(
        'Rules that deny',
        deny.map((rule) => `- \`${rule}\``),
      ),
      ...(allow.length + deny.length === 0
        ? ['There are no rules. `reprise config set permissions.allow` makes some that stay.']
        : []),
    ].join('\n\n'),
})

function numberIn(text: string | undefined): number {
  const number = Number(text)
  if (text !== undefined && Number.isInteger(number)) return number
  throw new EngineError(
    'invalid',
    'revoke wants the number of what you allowed; /permissions lists them. Nothing was changed.',
  )
}

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:\n\n${lines.join('\n')}`]

const grantLine = ({
  number,
  says,
  givenBy,
  givenAt,
}: PermissionStanding['grants'][number]): string =>
  `- ${number}: ${plain(says)} (${givenBy === '' ? 'you' : plain(givenBy)}, ${clockTime(givenAt)})`

const clockTime = (at: Date): string =>
  `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
