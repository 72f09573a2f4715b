/** GET and HEAD of a stream: what is there after an offset, at once, or as soon as it comes. */
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { noToken } from '../people/no-token.ts'
import type { Asker } from '../people/scopes.ts'
import { isJson } from '../streams/content-type.ts'
import { touch } from '../streams/find.ts'
import type { Stream } from '../streams/append-decision.ts'
import { offsetOf, seqOf } from '../../format/stream-offset.ts'
import { readPage, type Page } from '../streams/read.ts'
import { readableStream } from './stream-access.ts'
import { cursorOf, headersOf, successorHeaders, successorOf } from './stream-headers.ts'
import { streamEvents } from './stream-events.ts'

export async function headStream(control: Control, asker: Asker, path: string): Promise<Response> {
  const stream = await readableStream(control, asker, path)
  return new Response(null, {
    headers: {
      ...headersOf(stream, stream.head),
      ...successorHeaders(await successorOf(control.db.query, stream)),
      'content-type': stream.type,
      ...(stream.ttl !== null && { 'stream-ttl': String(stream.ttl) }),
      ...(stream.expires !== null && {
        'stream-expires-at': new Date(stream.expires).toISOString(),
      }),
    },
  })
}

export async function getStream(
  control: Control,
  asker: Asker,
  path: string,
  request: Request,
): Promise<Response> {
  const query = new URL(request.url).searchParams
  const live = query.get('live')
  const stream = await readableStream(control, asker, path)
  const after = placeIn(query, request.headers, stream)
  await touch(control.db, stream, control.now())
  if (live === null) return catchUp(control, stream, after, request)
  if (live === 'sse')
    return streamEvents(
      control,
      { asker, path, after, cursor: query.get('cursor'), signal: request.signal },
      stream,
    )
  if (live === 'long-poll') return longPoll(control, { asker, path, request }, stream, after)
  throw new ControlError('invalid', 'live is long-poll or sse.')
}

function placeIn(query: URLSearchParams, headers: Headers, stream: Stream): number {
  const offsets = query.getAll('offset')
  if (offsets.length > 1) throw new ControlError('invalid', 'offset is there more than once.')
  const [offset] = offsets
  if (offset === undefined && query.has('live'))
    throw new ControlError('invalid', 'A live reader says where it is: offset is missing.')
  const seq = seqOf(offset ?? '-1', stream.head)
  if (seq === undefined) throw new ControlError('invalid', 'offset is none of ours.')
  // A browser that comes back says what it had last: `generation.number`.
  const [, generation, last] = /^(\d+)\.(\d{1,15})$/.exec(headers.get('last-event-id') ?? '') ?? []
  return last !== undefined && Number(generation) === stream.generation
    ? Math.max(seq, Number(last))
    : seq
}

async function catchUp(
  control: Control,
  stream: Stream,
  after: number,
  request: Request,
): Promise<Response> {
  const page = await readPage(control.db.query, stream, after)
  const etag = `"${stream.id}:${after}:${page.next}${stream.closed === 1 && page.isEnd ? ':end' : ''}"`
  const successor = await successorOf(control.db.query, stream)
  const headers = {
    ...headersOf(stream, page.next),
    ...successorHeaders(successor),
    ...(page.isEnd && { 'stream-up-to-date': 'true' }),
    'stream-cursor': cursorOf(control.now(), new URL(request.url).searchParams.get('cursor')),
    'content-type': stream.type,
    etag,
  }
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers })
  return new Response(bodyOfPage(stream, page), { headers })
}

/** Values of JSON as one array; everything else one after the other, as it came. */
function bodyOfPage(stream: Stream, { records }: Page): Uint8Array<ArrayBuffer> {
  const parts = records.map(({ bytes }) => bytes)
  return new Uint8Array(isJson(stream.type) ? arrayOf(parts) : Buffer.concat(parts))
}

function arrayOf(values: readonly Uint8Array[]): Buffer {
  const parts = values.flatMap((value, at) => (at === 0 ? [value] : [COMMA, value]))
  return Buffer.concat([OPEN, ...parts, CLOSE])
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [
  Buffer,
  Buffer,
  Buffer,
]

type Poll = { readonly asker: Asker; readonly path: string; readonly request: Request }

async function longPoll(
  control: Control,
  poll: Poll,
  first: Stream,
  after: number,
): Promise<Response> {
  const { request } = poll
  using held = control.access.of(poll.asker)
  const signal = AbortSignal.any([
    request.signal,
    held.lost,
    control.stopping,
    AbortSignal.timeout(control.settings.longPollMs),
  ])
  let stream = first
  while (stream.head <= after && stream.closed === 0 && !signal.aborted) {
    await control.tail.changed(stream, signal)
    // Who asks is looked at again: meanwhile it may have become private, or be deleted.
    stream = await readableStream(control, poll.asker, poll.path)
  }
  if (held.lost.aborted) throw noToken()
  if (stream.head > after) return catchUp(control, stream, after, request)
  return new Response(null, {
    status: 204,
    headers: {
      ...headersOf(stream, Math.max(after, stream.head)),
      ...successorHeaders(await successorOf(control.db.query, stream)),
      'stream-next-offset': offsetOf(Math.min(after, stream.head)),
      'stream-up-to-date': 'true',
      'stream-cursor': cursorOf(control.now(), new URL(request.url).searchParams.get('cursor')),
    },
  })
}
