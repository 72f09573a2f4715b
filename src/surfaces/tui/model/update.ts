/** What each message makes of the model. The only place where it changes. */
import { offeredByAgent } from '../../../commands/offered.ts'
import type { FeedItem } from '../../../engine/live/feed.ts'
import type { Event, Stranger } from '../../../format/event.ts'
import type { EventId, SessionId } from '../../../format/ids.ts'
import { objectsOf } from '../../../lib/fields.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import type { Picker } from '../picker/picker.ts'
import { asksAfterEvent, asksAfterNotice, without } from '../../../state/asks.ts'
import type { Ask } from '../../../state/asks.ts'
import type { Dialog } from './dialog.ts'
import { hearEvent, hearNotice, silence } from '../../../state/live.ts'
import { idle, isBusy, noSession } from './model.ts'
import type { Anchor, Greeting, Model, Page, SessionFacts, TurnFacts } from './model.ts'
import { put, putBefore, putNote, replaced, trim, visited } from './window.ts'
import type { Tone } from './window.ts'

export type Message =
  | {
      readonly kind: 'fed'
      readonly item: FeedItem
      readonly entries: readonly TranscriptEntry[]
    }
  | {
      readonly kind: 'loaded'
      readonly entries: readonly TranscriptEntry[]
      readonly olderThan: EventId | undefined
    }
  | {
      readonly kind: 'older'
      readonly entries: readonly TranscriptEntry[]
      readonly olderThan: EventId | undefined
    }
  | {
      /** A part in the middle of the session, with one of its entries at the top. */
      readonly kind: 'visited'
      readonly entries: readonly TranscriptEntry[]
      readonly olderThan: EventId | undefined
      readonly at: EventId
      readonly isEnd: boolean
    }
  /** For another session, or for a new one. */
  | { readonly kind: 'left'; readonly to: SessionId | undefined }
  | { readonly kind: 'facts'; readonly facts: Partial<SessionFacts> }
  | { readonly kind: 'found'; readonly found: Partial<Greeting> }
  | { readonly kind: 'sending' }
  | { readonly kind: 'settled' }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'queue'; readonly queue: Model['queue'] }
  | { readonly kind: 'answered'; readonly requestId: string }
  /** What waits for an answer in a turn of another process. */
  | { readonly kind: 'asked'; readonly asks: readonly Ask[] }
  | { readonly kind: 'say'; readonly text: string; readonly tone: Tone }
  | { readonly kind: 'hint'; readonly text: string | undefined }
  | { readonly kind: 'dialog'; readonly dialog: Dialog | undefined }
  | { readonly kind: 'page'; readonly page: Page | undefined }
  | { readonly kind: 'picker'; readonly picker: Picker | undefined }
  | { readonly kind: 'scroll'; readonly anchor: Anchor | undefined }
  | { readonly kind: 'work'; readonly what: string | undefined }
  /** Something that was typed is being done, and is done. */
  | { readonly kind: 'started' | 'finished' }
  | { readonly kind: 'fold' }

export function update(model: Model, message: Message): Model {
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
  }
}

function withFacts(model: Model, facts: Partial<SessionFacts>): Model {
  const { isElsewhere } = facts
  const { turn } = model
  const session = { ...model.session, ...facts }
  if (isElsewhere === undefined || turn.mine) return { ...model, session }
  if (turn.theirs && !isElsewhere) return { ...model, session, turn: idle, asks: [] }
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
const ENDS = ['assistant.turn_end', 'abort', 'session.shutdown']

function turnAfter(
  { turn }: Model,
  { type, agentId }: Event | Stranger,
  entries: readonly TranscriptEntry[],
): TurnFacts {
  if (turn.mine) return { ...turn, theirs: false }
  // What a sub-agent begins and ends lies within the turn.
  if (agentId !== undefined) return turn
  if (BEGINNINGS.includes(type)) return { ...turn, theirs: true }
  return ENDS.includes(type) || entries.some(isCommandOver) ? idle : turn
}

/** What a person ran is no turn: it is over with its result. */
const isCommandOver = (entry: TranscriptEntry): boolean =>
  entry.kind === 'tool' && entry.isUserRequested && entry.endedAt !== undefined

function factsOf(notice: Extract<FeedItem, { kind: 'notice' }>['notice']): Partial<SessionFacts> {
  if (notice.type === 'session.title_changed') return { name: notice.data.title }
  if (notice.type !== 'session.usage_info') return {}
  return { context: { tokens: notice.data.currentTokens, limit: notice.data.tokenLimit } }
}

const said = (model: Model, text: string, tone: Tone): Model => ({
  ...model,
  notes: model.notes + 1,
  anchor: undefined,
  window: putNote(model.window, `note:${model.notes}`, { kind: 'note', tone, text }),
})
