/** One event on one line, for people; and the event as programs get it. */
import type { Event, Stranger } from '../../../format/event.ts'
import { cyan, dim, type Span } from './span.ts'

/** As it stands in the log: that we do not know its type is our remark, not its content. */
export function printed(event: Event | Stranger): object {
  if (!('stranger' in event)) return event
  const { stranger: _ours, ...rest } = event
  return rest
}

const TYPE_WIDTH = 26
const LONGEST = 160

export function eventLine(event: Event | Stranger): Span[] {
  return [
    dim(event.id.slice(0, 8)),
    ' ',
    dim(event.timestamp.slice(0, 19).replace('T', ' ')),
    ' ',
    cyan(event.type.padEnd(TYPE_WIDTH)),
    ' ',
    summaryOf(event.data),
  ]
}

/** The fields that say most, whatever the type: events of other versions are summed up too. */
const telling = [
  'content',
  'message',
  'toolName',
  'error',
  'newModel',
  'newMode',
  'operation',
  'path',
  'reason',
  'shutdownType',
  'result',
  'permissionRequest',
]

function summaryOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return ''
  const fields = data as Readonly<Record<string, unknown>>
  for (const name of telling) {
    const text = textOf(fields[name])
    if (text !== '') return text.slice(0, LONGEST).toWellFormed()
  }
  return ''
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null) return ''
  const { message, content, fullCommandText, fileName, kind } = value as Record<string, unknown>
  for (const inner of [message, content, fullCommandText, fileName, kind]) {
    if (typeof inner === 'string') return inner.trim()
  }
  return ''
}
