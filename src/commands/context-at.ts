/** What the model is given now, what it was given in a turn, and changes to that: `/context`. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { ContextAt, ContextMoment } from '../engine/history/context-at.ts'
import type { ContextItemWords } from '../engine/history/context-item.ts'
import type { WindowParts } from '../engine/history/context-parts.ts'
import { defined } from '../lib/defined.ts'
import type { ContextItem } from '../state/context-items.ts'
import { command, type CommandContext } from './command.ts'
import { contextAtText, itemText } from './context-at-text.ts'
import { contextText } from './context-text.ts'
import { code, plain } from './markdown.ts'

type Shown = WindowParts | ContextItemWords | ContextAt

export const context = command({
  name: 'context',
  summary: 'what fills the window of the model, or what it was given in a turn',
  changes: 'nothing',
  on: 'session',
  args: z.object({
    turn: z.string().optional().describe('the number of a turn, or now'),
    call: z.coerce.number().int().min(1).optional().describe('which call of the turn; the last'),
    whole: z.boolean().optional().describe('with all words, the system prompt and the tools'),
    item: z.string().optional().describe('one item with all its words, by its id'),
  }),
  words: ['turn'],
  async run(given, { turn, call, whole, item }): Promise<Shown> {
    const session = await given.session()
    if (item !== undefined) return session.contextItem(item)
    if (turn === undefined && call === undefined && whole !== true) return session.contextParts()
    return session.contextAt({ ...momentOf(turn), ...defined({ call, isWhole: whole }) })
  },
  say(shown, wording) {
    if ('largest' in shown) return contextText(shown, wording)
    return 'message' in shown ? itemText(shown) : contextAtText(shown, wording)
  },
})

function momentOf(word = 'now'): ContextMoment {
  if (word === 'now') return {}
  if (/^[1-9]\d{0,6}$/.test(word)) return { turn: Number(word) }
  throw new EngineError('invalid', `"${word}" is no turn: give its number, from 1 on, or now.`)
}

const item = z.string().describe('its id, as the list of a turn shows it')

const edit = (given: CommandContext, operation: 'omit' | 'restore', word: string) =>
  given
    .session()
    .then((session) => session.editContext({ operation, item: word, ...given.waiting }))

export const contextOmit = command({
  name: 'context omit',
  summary: 'leave something out of what the model is given, from here on',
  changes: 'conversation',
  on: 'session',
  args: z.object({ item }),
  words: ['item'],
  run: (given, { item: word }) => edit(given, 'omit', word),
  say: ({ eventId, what }, { call }) =>
    `The model is no longer given "${plain(what)}". The log keeps it; ${code(call('context restore', short(eventId)))} gives it again.`,
})

export const contextRestore = command({
  name: 'context restore',
  summary: 'give the model something again that was left out or compacted',
  changes: 'conversation',
  on: 'session',
  args: z.object({ item }),
  words: ['item'],
  run: (given, { item: word }) => edit(given, 'restore', word),
  say: ({ what, status }: ContextItem) =>
    status === 'omitted'
      ? `The model is given "${plain(what)}" again, where it stood.`
      : `The model is given "${plain(what)}" again, as a quote from earlier.`,
})

const short = (eventId: string): string => eventId.slice(0, 8)
