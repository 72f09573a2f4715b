/** Room for the model, and what it cost: `/compact`, `/usage`. */
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { command } from './command.ts'
import { plain, table } from './markdown.ts'
import { amount, counted } from '../lib/quantities.ts'
import type { Usage } from '../state/usage.ts'

export const compact = command({
  name: 'compact',
  summary: 'summarise what was said, to make room',
  changes: 'conversation',
  on: 'session',
  asksModel: true,
  args: z.object({ instructions: z.string().optional().describe('what the summary should keep') }),
  words: ['instructions…'],
  async run(context, { instructions }) {
    const session = await context.session()
    context.working?.('compacting')
    try {
      return await session.compact({ ...context.waiting, ...defined({ instructions }) })
    } finally {
      context.working?.(undefined)
    }
  },
  say: ({ messagesRemoved, tokensBefore, tokensAfter, checkpointNumber }) =>
    `Compacted: ${counted(messagesRemoved, 'message')} became checkpoint ${checkpointNumber}, ${amount(tokensBefore)} → ${amount(tokensAfter)} tokens.`,
})

export const usage = command({
  name: 'usage',
  summary: 'tokens and requests of the session',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  async run(given) {
    const session = await given.session()
    const { answeredBy, messageCount, turns, copied } = await session.state()
    const used = { ...(await session.usage()), copied }
    // More was said than asked: an agent answered, whose tokens nobody knows.
    const isUntold = used.models.length === 0 && messageCount > turns.length
    return { ...used, ...(isUntold && { untoldBy: answeredBy ?? 'the agent' }) }
  },
  say: ({ models, untoldBy, takenBack, copied, ...all }) =>
    models.length === 0
      ? [noTokens(untoldBy), ...apart(copied)].join('\n\n')
      : [
          table(
            ['model', 'requests', 'in', 'out', 'cached', 'premium requests', 'dollars'],
            models.map((each) => [
              plain(each.model),
              String(each.requests),
              amount(each.inputTokens),
              amount(each.outputTokens),
              amount(each.cacheReadTokens),
              String(each.cost),
              dollarsOf(each),
            ]),
          ),
          ...(tokensOf(takenBack) === 0
            ? []
            : [
                `${amount(tokensOf(all))} tokens, of these ${amount(tokensOf(takenBack))} in turns that were taken back.`,
              ]),
          ...apart(copied),
        ].join('\n\n'),
})

const tokensOf = ({ inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>) =>
  inputTokens + outputTokens

/** What a fork has from its source. */
const apart = (copied: Usage): readonly string[] =>
  tokensOf(copied) === 0
    ? []
    : [
        `Not counted: ${amount(tokensOf(copied))} tokens of the session that this one was forked from.`,
      ]

const noTokens = (agent: string | undefined): string => {
  if (agent === undefined || agent === 'offline') return 'No model was asked in this session.'
  return `Tokens and cost are not known: ${plain(agent)} does not tell them.`
}

/** Premium requests are a price of their own. */
const dollarsOf = ({
  dollars,
  cost,
}: {
  readonly dollars: number
  readonly cost: number
}): string => (dollars > 0 ? `$${dollars}` : cost > 0 ? '' : 'not known')
