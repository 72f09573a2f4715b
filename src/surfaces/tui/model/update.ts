/** What each message makes of the model. The only place where it changes. */
import { offeredByAgent } from '../../../commands/offered.ts'
import type { FeedItem } from '../../../engine/live/feed.ts'
import type { Event, Stranger } from '../../../format/event.ts'
import { defined } from '../../../lib/defined.ts'
import { objectsOf } from '../../../lib/fields.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import { asksAfterEvent, asksAfterNotice, without } from '../../../state/asks.ts'
import { hearEvent, hearNotice, silence } from '../../../state/live.ts'
import {
  freshMenu,
  idle,
  isBusy,
  noSession,
  type Model,
  type SessionFacts,
  type TurnFacts,
} from './model.ts'
import type { Message } from './message.ts'
import { endsTurn } from '../../../state/turn-end.ts'
import { put, putBefore, putNote, replaced, trim, visited, type Tone } from './window.ts'

export function update(model: Model, message: Message): Model {
  const changed = updated(model, message)
  const next = isBusy(changed) && !isBusy(model) ? { ...changed, begun: model.begun + 1 } : changed
  const isAsked = next.asks[0]?.requestId === model.asks[0]?.requestId
  return isAsked ? next : { ...next, menu: freshMenu }
}

function updated(model: Model, message: Message): Model {
  switch (message.kind) {
    case 'fed':
      return fed(model, message.item, message.entries)
    case 'loaded':
      return {
        ...model,
        window: replaced(model.window, message.entries, message.olderThan),
        live: silence,
        anchor: undefined,
        asks: isBusy(model) ? model.asks : [],
      }
    case 'older':
      return { ...model, window: putBefore(model.window, message.entries, message.olderThan) }
    case 'visited':
      return {
        ...model,
        window: visited(message.entries, message.olderThan, message.isEnd),
        anchor: { key: `user:${message.at}`, line: 0, isFirst: true },
      }
    case 'left':
      return { ...model, ...noSession }
    case 'facts':
      return withFacts(model, message.facts)
    case 'found':
      return { ...model, greeting: { ...model.greeting, ...message.found } }
    case 'of-files':
      return { ...model, ofFiles: message.commands }
    case 'sending':
      return {
        ...model,
        turn: { ...model.turn, mine: true, isCancelling: false },
        anchor: undefined,
      }
    case 'settled':
      return { ...model, turn: idle, live: silence, asks: [] }
    case 'cancelling':
      return { ...model, turn: { ...model.turn, isCancelling: true } }
    case 'queue':
      return { ...model, queue: message.queue }
    case 'answered':
      return { ...model, asks: without(model.asks, message.requestId) }
    case 'not-answered':
      return model.turn.mine || model.turn.theirs
        ? { ...model, asks: [message.ask, ...without(model.asks, message.ask.requestId)] }
        : model
    case 'asked':
      return model.turn.mine ? model : { ...model, asks: message.asks }
    case 'say':
      return said(model, message.text, message.tone)
    case 'hint':
      return { ...model, hint: message.text }
    case 'dialog':
      return { ...model, dialog: message.dialog }
    case 'page':
      return { ...model, page: message.page }
    case 'picker':
      return { ...model, picker: message.picker }
    case 'scroll':
      return {
        ...model,
        anchor: message.anchor,
        window: message.anchor === undefined ? trim(model.window) : model.window,
      }
    case 'work':
      return { ...model, work: message.what }
    case 'started':
      return { ...model, underway: model.underway + 1 }
    case 'finished':
      return { ...model, underway: model.underway - 1 }
    case 'fold':
      return { ...model, isOpen: !model.isOpen }
    case 'vim':
      return { ...model, vim: message.mode }
    case 'answering':
      return { ...model, answering: message.answering }
    case 'allowed':
      return { ...model, allowsAll: message.allowsAll }
    case 'menu':
      return { ...model, menu: message.menu }
  }
}

function withFacts(model: Model, facts: Partial<SessionFacts>): Model {
  const { isElsewhere } = facts
  const { turn } = model
  // The log has no word of how much an agent takes: what it told of that stays.
  const context = facts.context && {
    ...defined({ limit: model.session.context?.limit }),
    ...facts.context,
  }
  const session = { ...model.session, ...facts, ...defined({ context }) }
  if (isElsewhere === undefined || turn.mine) return { ...model, session }
  if (turn.theirs && !isElsewhere)
    return { ...model, session, turn: { ...idle, isFirst: turn.isFirst }, asks: [] }
  return { ...model, session, turn: { ...turn, theirs: isElsewhere } }
}

function fed(model: Model, item: FeedItem, entries: readonly TranscriptEntry[]): Model {
  if (item.kind === 'reset') return model
  if (item.kind === 'notice') {
    const { notice } = item
    const next = {
      ...model,
      live: hearNotice(model.live, notice),
      asks: asksAfterNotice(model.asks, notice),
    }
    if (notice.type === 'session.error') return said(next, notice.data.message, 'bad')
    if (notice.type === 'commands.changed')
      return { ...next, offered: offeredByAgent(objectsOf(notice.data.commands)) }
    return { ...next, session: { ...model.session, ...factsOf(notice) } }
  }
  if (item.kind !== 'event') return model
  const { event } = item
  const window = put(model.window, entries)
  return {
    ...model,
    live: hearEvent(model.live, event),
    asks: asksAfterEvent(model.asks, event),
    turn: turnAfter(model, event, entries),
    window: model.anchor === undefined ? trim(window) : window,
  }
}

const BEGINNINGS = ['user.message', 'assistant.turn_start', 'tool.user_requested']
const ENDS = ['abort', 'session.shutdown']

function turnAfter(
  { turn }: Model,
  event: Event | Stranger,
  entries: readonly TranscriptEntry[],
): TurnFacts {
  const { type, agentId } = event
  if (turn.mine) return { ...turn, theirs: false }
  // What a sub-agent begins and ends lies within the turn.
  if (agentId !== undefined) return turn
  if (BEGINNINGS.includes(type)) return { ...turn, theirs: true }
  return endsTurn(event) || ENDS.includes(type) || entries.some(isCommandOver) ? idle : turn
}

/** What a person ran is no turn: it is over with its result. */
const isCommandOver = (entry: TranscriptEntry): boolean =>
  entry.kind === 'tool' && entry.isUserRequested && entry.endedAt !== undefined

function factsOf(notice: Extract<FeedItem, { kind: 'notice' }>['notice']): Partial<SessionFacts> {
  if (notice.type === 'session.title_changed') return { name: notice.data.title }
  if (notice.type !== 'session.usage_info') return {}
  const { currentTokens: tokens, tokenLimit: limit } = notice.data
  return { context: limit > 0 ? { tokens, limit } : { tokens } }
}

const said = (model: Model, text: string, tone: Tone): Model => ({
  ...model,
  notes: model.notes + 1,
  anchor: undefined,
  window: putNote(model.window, `note:${model.notes}`, { kind: 'note', tone, text }),
})
