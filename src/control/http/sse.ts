/**
 * Server-sent events of frames. A frame is made when the client has taken the one before: what is slow is read later,
 * and nothing waits in memory.
 */
import type { Control } from '../control.ts'

export function sseOf(
  frames: (signal: AbortSignal) => AsyncGenerator<string>,
  {
    signal,
    ms,
    headers = {},
  }: {
    readonly signal: AbortSignal
    /** How long a connection lasts; its client comes back. */
    readonly ms: number
    readonly headers?: Readonly<Record<string, string>>
  },
): Response {
  const gone = new AbortController()
  const made = frames(AbortSignal.any([signal, gone.signal, AbortSignal.timeout(ms)]))
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const { value, done } = await made.next()
        if (done === true) out.close()
        else out.enqueue(Buffer.from(value))
      },
      cancel: () => gone.abort(),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}

/** Until the client leaves, the node stops, or a connection has lasted long enough. */
export const sseOptions = ({ stopping, settings }: Control, signal: AbortSignal) => ({
  signal: AbortSignal.any([signal, stopping]),
  ms: settings.sseMs,
})

/** No line of a content is ever a line of the protocol. */
export const linesOf = (text: string): string =>
  text
    .split(/\r\n|\n|\r/)
    .map((line) => `data:${line.startsWith(' ') ? ' ' : ''}${line}\n`)
    .join('')

/** JSON has no line break. */
export const frame = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
