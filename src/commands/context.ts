/** Room for the model, and what it cost: `/compact`, `/usage`. */
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { command } from './command.ts'
import { plain, table } from './markdown.ts'
import { amount, counted } from '../lib/quantities.ts'

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
  run: async (given) => (await (await given.session()).state()).usage,
  say: ({ models }) =>
    models.length === 0
      ? 'No model was asked in this session.'
      : table(
          ['model', 'requests', 'in', 'out', 'cached', 'premium requests', 'dollars'],
          models.map((each) => [
            plain(each.model),
            String(each.requests),
            amount(each.inputTokens),
            amount(each.outputTokens),
            amount(each.cacheReadTokens),
            String(each.cost),
            each.dollars === 0 ? '' : `$${each.dollars}`,
          ]),
        ),
})
