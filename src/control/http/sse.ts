/**
 * Server-sent events of frames. A frame is made when the client has taken the one before: what is slow is read later,
 * and nothing waits in memory.
 */
import type { Control } from '../control.ts'
import type { Asker } from '../people/scopes.ts'

type Watching = {
  readonly asker: Asker
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** Until the client leaves, its token holds no more, the node stops, or a connection has lasted long enough. */
export function sseOf(
  { access, stopping, settings }: Control,
  { asker, signal, headers = {} }: Watching,
  frames: (signal: AbortSignal) => AsyncGenerator<string>,
): Response {
  const gone = new AbortController()
  const held = access.of(asker)
  const lasts = AbortSignal.timeout(settings.sseMs)
  const made = frames(AbortSignal.any([signal, stopping, held.lost, gone.signal, lasts]))
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        try {
          const { value, done } = await made.next()
          if (done !== true) return out.enqueue(Buffer.from(value))
          held[Symbol.dispose]()
          out.close()
        } catch (error) {
          held[Symbol.dispose]()
          throw error
        }
      },
      cancel() {
        held[Symbol.dispose]()
        gone.abort()
      },
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

/** No line of a content is ever a line of the protocol. */
export const linesOf = (text: string): string =>
  text
    .split(/\r\n|\n|\r/)
    .map((line) => `data:${line.startsWith(' ') ? ' ' : ''}${line}\n`)
    .join('')

/** JSON has no line break. */
export const frame = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
