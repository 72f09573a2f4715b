/** A stream as server-sent events. After every frame of data comes one of control, which says where the reader is. */
import type { Control } from '../control.ts'
import type { Asker } from '../people/scopes.ts'
import { isJson, isText } from '../streams/content-type.ts'
import type { Stream } from '../streams/append-decision.ts'
import { offsetOf } from '../../format/stream-offset.ts'
import { readPage, type Page } from '../streams/read.ts'
import { readableStream } from './stream-access.ts'
import { linesOf, sseOf } from './sse.ts'
import { cursorOf, successorOf } from './stream-headers.ts'

type Follower = {
  readonly asker: Asker
  readonly path: string
  readonly after: number
  readonly cursor: string | null
  readonly signal: AbortSignal
}

export const streamEvents = (control: Control, follower: Follower, stream: Stream): Response =>
  sseOf(
    control,
    {
      asker: follower.asker,
      signal: follower.signal,
      headers: isText(stream.type) ? {} : { 'stream-sse-data-encoding': 'base64' },
    },
    (signal) => framesOf(control, follower, stream, signal),
  )

async function* framesOf(
  control: Control,
  { asker, path, after, cursor }: Follower,
  first: Stream,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let stream = first
  let next = Math.min(after, stream.head)
  let told = false
  let lastCursor = cursor
  while (!signal.aborted) {
    const page = await readPage(control.db.query, stream, next)
    if (page.records.length > 0 || !told) {
      next = page.next
      told = page.isEnd
      lastCursor = cursorOf(control.now(), lastCursor)
      const isOver = page.isEnd && stream.closed === 1
      const successor = isOver ? await successorOf(control.db.query, stream) : undefined
      const place = {
        streamNextOffset: offsetOf(next),
        ...(isOver ? { streamClosed: true } : { streamCursor: lastCursor }),
        ...(page.isEnd && { upToDate: true }),
        ...successor,
      }
      yield `${page.records.length > 0 ? dataFrame(stream, page) : ''}event: control\ndata:${JSON.stringify(place)}\n\n`
      if (isOver) return
      if (!page.isEnd) continue
    }
    await control.tail.changed(stream, signal)
    if (signal.aborted) return
    // Who asks is looked at again: meanwhile it may have become private, or be deleted. Then the stream just ends.
    const now = await readableStream(control, asker, path).catch(() => undefined)
    if (now === undefined || now.id !== stream.id) return
    if (now.closed === 1) told = false
    stream = now
  }
}

function dataFrame(stream: Stream, { records, next }: Page): string {
  const parts = records.map(({ bytes }) => bytes)
  const id = stream.generation === null ? '' : `id: ${stream.generation}.${next}\n`
  return `event: data\n${id}${linesOf(textOf(stream, parts))}\n`
}

function textOf({ type }: Stream, parts: readonly Uint8Array[]): string {
  if (!isText(type)) return Buffer.concat(parts).toString('base64')
  const texts = isJson(type)
    ? `[${parts.map((part) => Buffer.from(part).toString()).join(',')}]`
    : Buffer.concat(parts).toString()
  return texts
}
