/** `/copy`: the last answer, or the last program in it, for the clipboard of the person who looks at the session. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import { defined } from '../lib/defined.ts'
import { fenced } from '../lib/fenced.ts'
import { counted } from '../lib/quantities.ts'
import type { EventId } from '../format/ids.ts'
import { command } from './command.ts'

export const copy = command({
  name: 'copy',
  summary: 'put the last answer on the clipboard; with code, the last program in it',
  changes: 'view',
  needs: 'view',
  on: 'session',
  args: z.object({ what: z.enum(['answer', 'code']).optional().describe('answer or code') }),
  words: ['what'],
  choices: [
    ['answer', 'all of the last answer'],
    ['code', 'the last block of code in it'],
  ],
  async run(context, { what = 'answer' }) {
    const answer = await lastAnswer(await context.session())
    const text = what === 'code' ? lastBlock(answer ?? '') : answer
    if (text === undefined)
      throw new EngineError(
        'not_found',
        `There is no ${what === 'code' ? 'block of code in the last answer' : 'answer yet'}. Nothing was copied.`,
      )
    const where = await context.view?.copy(text)
    return { lines: text.split('\n').length, where: where ?? 'clipboard' }
  },
  say: ({ lines, where }) =>
    where === 'clipboard'
      ? `Copied ${counted(lines, 'line')}.`
      : `No clipboard can be reached from here; the text stands above (${counted(lines, 'line')}).`,
})

const STEP = 200

async function lastAnswer(session: Session): Promise<string | undefined> {
  let cursor: EventId | undefined
  for (;;) {
    const page = await session.events({
      direction: 'backward',
      limit: STEP,
      ...defined({ cursor }),
    })
    for (const event of page.events) {
      if ('stranger' in event || event.agentId !== undefined) continue
      if (event.type === 'assistant.message' && event.data.content.trim() !== '')
        return event.data.content
    }
    cursor = page.events.at(-1)?.id
    if (!page.more || cursor === undefined) return undefined
  }
}

const lastBlock = (text: string): string | undefined =>
  [...fenced(text)].findLast(({ isCode, isClosed }) => isCode && isClosed)?.text.trimEnd()
