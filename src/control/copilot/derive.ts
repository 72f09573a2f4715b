/**
 * What an upload of the Copilot CLI means. It tells of a rewind only in passing, so each event's parent is looked at: a
 * parent that is there and not the last event is a rewind. A parent that is null, unknown or was never stored is a gap:
 * the event is appended, and nothing is cut. An event that is there already is not looked at again. Pure.
 */
import { isEventType } from '../../format/event.ts'
import { isNoticeType } from '../../format/notice.ts'
import { isFields, textIn, type Fields } from '../../lib/fields.ts'
import type { Content } from '../streams/content.ts'

/** Behind record `behind`, or where the log ends. */
export type Step = { readonly cutBehind?: number; readonly events: Content[] }

type Derived = { readonly steps: readonly Step[]; readonly gaps: number }

/** `known`: the number of every event of this generation that an event or a parent of the batch names. */
export function derive(
  batch: readonly Content[],
  known: ReadonlyMap<string, number>,
  last: { readonly id: string | null; readonly head: number },
): Derived {
  const seqs = new Map(known)
  const steps: Step[] = []
  let gaps = 0
  let { id: lastId, head } = last
  for (const event of batch) {
    if (event.id === undefined || seqs.has(event.id)) continue
    const parent = event.parent ?? null
    const at = parent === null ? undefined : seqs.get(parent)
    const isRewind = at !== undefined && parent !== lastId
    if (isRewind) {
      for (const [id, seq] of seqs) if (seq > at) seqs.delete(id)
      steps.push({ cutBehind: at, events: [] })
      head = at
    } else if (parent !== lastId) gaps += 1
    const step = steps.at(-1) ?? { events: [] }
    if (steps.length === 0) steps.push(step)
    step.events.push(event)
    head += 1
    seqs.set(event.id, head)
    lastId = event.id
  }
  return { steps, gaps }
}

/** Told, never stored: 20 of the 26 events of a short turn. */
export function isEphemeral(event: Fields): boolean {
  const type = textIn(event, 'type') ?? ''
  return event['ephemeral'] === true || (isNoticeType(type) && !isEventType(type))
}

const STATES: Readonly<Record<string, 'idle' | 'working' | 'input-needed' | 'error'>> = {
  'user.message': 'working',
  'assistant.turn_start': 'working',
  'permission.requested': 'input-needed',
  'permission.completed': 'working',
  'session.idle': 'idle',
  'session.shutdown': 'idle',
  'session.error': 'error',
}

/** What a batch says of the session itself: the last word counts. */
export function toldBy(events: readonly Fields[]) {
  const state = events
    .map((event) => STATES[textIn(event, 'type') ?? ''])
    .findLast((each) => each !== undefined)
  const start = events.find((event) => textIn(event, 'type') === 'session.start')
  const data = start?.['data']
  const context = isFields(data) ? data['context'] : undefined
  const repository = isFields(context) ? textIn(context, 'repository') : undefined
  return { state, repository }
}
