/** One open session on the page: what the server answered, kept in step by the frames of its stream. */
import type { Event, Stranger } from '../../../../format/event.ts'
import type { Notice } from '../../../../format/notice.ts'
import { asksAfterEvent, asksAfterNotice, type Ask } from '../../../../state/asks.ts'
import { hearEvent, hearNotice, silence, type Live } from '../../../../state/live.ts'
import type { TranscriptEntry } from '../../../../state/transcript.ts'
import { endsTurn } from '../../../../state/turn-end.ts'
import type { SessionAnswer, StreamFrame, TranscriptAnswer } from '../../api.ts'
import { asksOf } from './asks.ts'
import { afterEvents, beforeCut } from './entries.ts'

export type SessionModel = {
  readonly id: string
  readonly entries: readonly TranscriptEntry[]
  /** Where the page before these entries ends; undefined at the beginning of the log. */
  readonly before: string | undefined
  /** Where the page after these entries begins; undefined when they reach the end, and what happens is added. */
  readonly after: string | undefined
  readonly lastEventId: string | undefined
  readonly answer: SessionAnswer | undefined
  readonly status: SessionAnswer['status']
  readonly asks: readonly Ask[]
  readonly live: Live
  readonly context: { readonly used: number; readonly limit: number } | undefined
  readonly isLoaded: boolean
  readonly isGone: boolean
  /** What is held no longer fits the log: ask for the transcript again. */
  readonly isStale: boolean
}

export const emptySession = (id: string): SessionModel => ({
  id,
  entries: [],
  before: undefined,
  after: undefined,
  lastEventId: undefined,
  answer: undefined,
  status: 'idle',
  asks: [],
  live: silence,
  context: undefined,
  isLoaded: false,
  isGone: false,
  isStale: false,
})

/** The newest page, or the one around a place: everything that was held before is forgotten. */
export const withTranscript = (model: SessionModel, page: TranscriptAnswer): SessionModel => ({
  ...model,
  entries: page.entries,
  before: page.before,
  after: page.after,
  lastEventId: page.lastEventId,
  live: silence,
  isLoaded: true,
  isStale: false,
})

/** The page before the first; ignored when it was asked for before everything changed. */
export function withOlder(
  model: SessionModel,
  asked: string,
  page: TranscriptAnswer,
): SessionModel {
  if (model.before !== asked) return model
  return { ...model, entries: [...page.entries, ...model.entries], before: page.before }
}

/** The page after the last; ignored when it was asked for before everything changed. */
export function withNewer(
  model: SessionModel,
  asked: string,
  page: TranscriptAnswer,
): SessionModel {
  if (model.after !== asked) return model
  const { lastEventId = model.lastEventId } = page
  return { ...model, entries: [...model.entries, ...page.entries], after: page.after, lastEventId }
}

/** Whether what is held reaches the end of the log. */
export const isAtEnd = ({ after }: SessionModel): boolean => after === undefined

export const withAnswer = (model: SessionModel, answer: SessionAnswer): SessionModel => ({
  ...model,
  answer,
  status: answer.status,
  asks: asksOf(answer),
})

/** Frames come in bursts; the entries are copied once for each burst, not once for each frame. */
export function withFrames(model: SessionModel, frames: readonly StreamFrame[]): SessionModel {
  let next = model
  let events: (Event | Stranger)[] = []
  const settle = () => {
    // Who reads elsewhere is given what happened when they come to the end.
    if (events.length > 0 && isAtEnd(next))
      next = { ...next, entries: afterEvents(next.entries, events) }
    events = []
  }
  for (const frame of frames) {
    // A log that is gone was cut first.
    if (next.isGone || (next.isStale && frame.event !== 'gone')) continue
    if (frame.event === 'event') events.push(frame.data)
    else settle()
    next = afterFrame(next, frame)
  }
  settle()
  return next
}

function afterFrame(model: SessionModel, frame: StreamFrame): SessionModel {
  switch (frame.event) {
    case 'event':
      return afterEvent(model, frame.data)
    case 'notice':
      return afterNotice(model, frame.data)
    case 'reset':
      return afterReset(model, frame.data.upToEventId)
    // What was told while nobody listened is unknown, so a half sentence is not gone on with.
    case 'ready':
      return { ...model, live: silence }
    case 'gone':
      return { ...model, isGone: true, status: 'idle', asks: [], live: silence }
  }
}

function afterEvent(model: SessionModel, event: Event | Stranger): SessionModel {
  const asks = asksAfterEvent(model.asks, event)
  return {
    ...model,
    lastEventId: event.id,
    live: hearEvent(model.live, event),
    asks,
    status: statusAfter(model, event, asks),
  }
}

function statusAfter(
  { status, asks: before }: SessionModel,
  event: Event | Stranger,
  asks: readonly Ask[],
): SessionModel['status'] {
  if (asks.length > 0) return 'waiting'
  if (event.type === 'user.message' || event.type === 'assistant.turn_start') return 'running'
  return before.length > 0 ? 'running' : status
}

function afterNotice(model: SessionModel, notice: Notice): SessionModel {
  const asks = asksAfterNotice(model.asks, notice)
  const heard = { ...model, asks, live: hearNotice(model.live, notice) }
  if (notice.type === 'session.idle') return { ...heard, status: 'idle' }
  if (notice.type === 'session.usage_info') {
    const { currentTokens: used, tokenLimit: limit } = notice.data
    return { ...heard, context: { used, limit } }
  }
  if (asks === model.asks) return heard
  return { ...heard, status: asks.length > 0 ? 'waiting' : 'running' }
}

/** What is left is shown at once; what the log is now must be asked for, since an entry does not tell all events. */
function afterReset(model: SessionModel, upTo: string | undefined): SessionModel {
  const entries = upTo === undefined ? undefined : beforeCut(model.entries, upTo)
  return {
    ...model,
    entries: entries ?? model.entries,
    live: silence,
    asks: [],
    status: 'idle',
    isStale: true,
  }
}

/** After these, and at the end of a turn in another process, what the server knows besides the log has changed too. */
export const callsForAnswer = (frames: readonly StreamFrame[]): boolean =>
  frames.some(
    (frame) =>
      frame.event === 'ready' ||
      frame.event === 'reset' ||
      (frame.event === 'notice' && NEWS.has(frame.data.type)) ||
      (frame.event === 'event' && (NEWS.has(frame.data.type) || endsTurn(frame.data))),
  )

const NEWS = new Set<string>([
  'session.idle',
  'session.title_changed',
  'pending_messages.modified',
  'user_input.requested',
  'user.message',
  'permission.requested',
  'session.mode_changed',
  'session.model_change',
  'session.usage_record',
  'session.compaction_complete',
])
