/**
 * Listens to a stream of the server for as long as it is wanted: when the connection breaks or the server starts
 * anew, it comes back by itself.
 */
import type { ServerAnswer } from '../api.ts'
import { get, isUnauthorized } from './client.ts'
import type { Connection, LinkState } from './live/messages.ts'
import { waitBefore } from './model/backoff.ts'

type StreamOptions<F> = {
  /** Asked for at each try, since the cursor moves. */
  readonly url: () => string
  readonly names: readonly string[]
  readonly onFrame: (frame: F) => void
  readonly onLink: (link: LinkState) => void
  /** A stream that says nothing for so long is not there any more, whatever the browser thinks. */
  readonly silentMs?: number
}

export type Listening = {
  readonly stop: () => void
  /** Tries at once, where it waits or may be cut off without knowing. */
  readonly wake: () => void
}

/** A connection that was heard of so lately is believed to be there. */
const FRESH_MS = 5_000

export function listen<F>({ url, names, onFrame, onLink, silentMs }: StreamOptions<F>): Listening {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let watchdog: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let heardAt = 0
  let version: string | undefined
  let isOver = false
  let isTrying = false
  const tell = (connection: Connection) => onLink({ connection, tries, version })

  const heard = () => {
    heardAt = Date.now()
    clearTimeout(watchdog)
    if (silentMs !== undefined) watchdog = setTimeout(comeBack, silentMs)
  }
  const open = () => {
    source = new EventSource(url())
    heard()
    source.addEventListener('open', () => {
      heard()
      tries = 0
      tell('open')
    })
    source.addEventListener('error', comeBack)
    for (const name of names) {
      source.addEventListener(name, (message: MessageEvent<string>) => {
        heard()
        onFrame({ event: name, data: JSON.parse(message.data) } as F)
      })
    }
  }
  function comeBack() {
    source?.close()
    source = undefined
    clearTimeout(watchdog)
    clearTimeout(timer)
    if (isOver) return
    tell('lost')
    timer = setTimeout(() => void tryAgain(), waitBefore(tries++))
  }
  /** An EventSource does not tell why it was refused, so that is asked first. */
  async function tryAgain() {
    if (isTrying || isOver || source !== undefined) return
    isTrying = true
    clearTimeout(timer)
    const failure = await get<ServerAnswer>('/api/server').then(
      (server) => void (version = server.version),
      (error: unknown) => error,
    )
    isTrying = false
    if (isOver) return
    if (failure === undefined) open()
    else if (isUnauthorized(failure)) tell('refused')
    else comeBack()
  }

  tell('connecting')
  open()
  return {
    stop() {
      isOver = true
      clearTimeout(timer)
      clearTimeout(watchdog)
      source?.close()
    },
    wake() {
      if (source === undefined) void tryAgain()
      else if (silentMs !== undefined && Date.now() - heardAt > Math.max(FRESH_MS, silentMs / 2))
        comeBack()
    },
  }
}
