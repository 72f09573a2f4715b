/** What can be chosen in the agent itself: `/options`. */
import { z } from 'zod'
import type { AgentOption } from '../engine/agent.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import { command } from './command.ts'
import { plain } from './markdown.ts'

export const options = command({
  name: 'options',
  summary: "the agent's own modes, models and options",
  changes: 'settings',
  on: 'session',
  args: z.object({
    option: z.string().optional().describe('which one, by its name'),
    value: z.string().optional().describe('what it is to be from here on'),
  }),
  words: ['option', 'value…'],
  async run(context, { option: wanted, value }) {
    const session = await context.session()
    const all = await optionsOf(session)
    if (wanted === undefined) return { options: all, isOne: false }
    const option = all.find(({ id, name }) => [id, name.toLowerCase()].includes(wanted))
    if (option === undefined)
      throw new EngineError(
        'invalid',
        `There is no option "${wanted}". There are ${all.map(({ id }) => id).join(', ') || 'none'}.`,
      )
    if (value !== undefined)
      await session.setAgentOption({ id: option.id, value: valueOf(option, value) }, NEVER)
    const now = (await optionsOf(session)).find(({ id }) => id === option.id)
    return { options: [now ?? option], isOne: true }
  },
  say: ({ options: all, isOne }) =>
    all.length === 0
      ? 'This agent has no options of its own.'
      : all.map((option) => (isOne ? withValues(option) : inShort(option))).join('\n'),
})

const NEVER = new AbortController().signal

export async function optionsOf(session: Session): Promise<readonly AgentOption[]> {
  await session.startAgent(NEVER)
  return (await session.agentOptions())?.options ?? []
}

/** A switch is on or off; else what the agent calls the value, or how it is shown. */
function valueOf({ values }: AgentOption, word: string): string | boolean {
  if (values === undefined) return /^(?:on|true|yes)$/i.test(word)
  return values.find(({ name }) => name.toLowerCase() === word.toLowerCase())?.value ?? word
}

const shown = ({ value, values }: AgentOption): string =>
  values === undefined
    ? value === true
      ? 'on'
      : 'off'
    : (values.find((each) => each.value === value)?.name ?? String(value))

const inShort = (option: AgentOption): string =>
  `- ${plain(option.id)}: ${plain(shown(option))}${
    option.values === undefined ? '' : ` (of ${option.values.length})`
  }`

const withValues = (option: AgentOption): string =>
  [`${plain(option.name)}: ${plain(shown(option))}`, ...(option.values ?? []).map(valueLine)].join(
    '\n',
  )

export const valueLine = ({ value, name }: { readonly value: string; readonly name: string }) =>
  value === name ? `- ${plain(value)}` : `- ${plain(value)}: ${plain(name)}`
