/**
 * Requests that may carry a secret, to servers that nobody has to trust: a request stays at the origin that it was made
 * for, and an answer is counted as it is read, after it was decompressed, and is cut off where it becomes too long.
 */

type Fetch = typeof globalThis.fetch

type Bounds = {
  /** Of an answer; of one event where the answer is a stream of events. */
  readonly mostBytes: number
  /** Of a whole stream of events. Default: such a stream may go on for ever. */
  readonly mostStreamBytes?: number
  /** By which requests are made. Default: the network of this process. */
  readonly fetch?: Fetch
}

/** Another host was named to which the request would have gone, with all that it carries. */
export class StrayRedirect extends Error {
  override readonly name = 'StrayRedirect'
}

export class OversizedAnswer extends Error {
  override readonly name = 'OversizedAnswer'
}

/** What was refused here, below the words of the libraries that it went through. */
export function refusedIn(thrown: unknown): StrayRedirect | OversizedAnswer | undefined {
  if (thrown instanceof StrayRedirect || thrown instanceof OversizedAnswer) return thrown
  return thrown instanceof Error ? refusedIn(thrown.cause) : undefined
}

const MOST_HOPS = 5

export function guardedFetch({ fetch, ...bounds }: Bounds): Fetch {
  return async (input, init) => {
    const ask = fetch ?? globalThis.fetch
    // A library that asks for redirects by hand looks at them itself.
    if (init?.redirect === 'manual') return bounded(await ask(input, init), bounds)
    let url = new URL(input instanceof Request ? input.url : input)
    let response = await ask(input, { ...init, redirect: 'manual' })
    for (let hop = 0; isRedirect(response); hop += 1) {
      const next = targetOf(response, url)
      await response.body?.cancel()
      const method = (
        init?.method ?? (input instanceof Request ? input.method : 'GET')
      ).toUpperCase()
      // Only these two keep the method and what is sent; anything may be read again.
      const isKept = [307, 308].includes(response.status) || ['GET', 'HEAD'].includes(method)
      if (next.origin !== url.origin || !isKept || input instanceof Request || hop >= MOST_HOPS)
        throw new StrayRedirect(
          `${url.host} sends on to ${next.origin}${next.pathname}; requests with credentials stay where they are addressed. If that is right, set it as the address.`,
        )
      url = next
      response = await ask(url, { ...init, redirect: 'manual' })
    }
    return bounded(response, bounds)
  }
}

const isRedirect = ({ status, headers }: Response): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.has('location')

function targetOf({ headers }: Response, from: URL): URL {
  const location = headers.get('location') ?? ''
  if (URL.canParse(location, from.href)) return new URL(location, from)
  throw new StrayRedirect(`${from.host} sends on to an address that cannot be read.`)
}

/** The same answer; reading it fails where it becomes too long. */
function bounded(
  response: Response,
  { mostBytes, mostStreamBytes = Infinity }: Omit<Bounds, 'fetch'>,
): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const isEvents = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
  const announced = Number(headers.get('content-length') ?? 0)
  const meter = isEvents ? eventMeter(mostBytes, mostStreamBytes) : totalMeter(mostBytes)
  if (!isEvents && announced > mostBytes) {
    void body.cancel().catch(() => {}) // the connection ends in any case
    throw tooLong(mostBytes)
  }
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        meter(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted, { status, statusText, headers })
}

type Meter = (chunk: Uint8Array) => void

function totalMeter(most: number): Meter {
  let total = 0
  return ({ length }) => {
    total += length
    if (total > most) throw tooLong(most)
  }
}

/** An empty line ends an event. */
function eventMeter(most: number, mostInAll: number): Meter {
  const whole = totalMeter(mostInAll)
  let open = 0
  let tail = ''
  return (chunk) => {
    whole(chunk)
    const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    const end = Math.max(
      text.lastIndexOf('\n\n'),
      text.lastIndexOf('\n\r\n'),
      text.lastIndexOf('\r\r'),
    )
    open = end < 0 ? open + chunk.length : text.length - end
    tail = text.slice(-2)
    if (open > most) throw tooLong(most)
  }
}

const tooLong = (most: number): OversizedAnswer =>
  new OversizedAnswer(
    `The answer is longer than ${Math.floor(most / 1024 / 1024)} MB and was not read on.`,
  )
