/**
 * Listens to a stream of the server for as long as it is wanted: when the connection breaks or the server starts
 * anew, it comes back by itself and asks for what follows the last event it has.
 */
import { get } from './client.ts'
import { waitBefore } from './model/backoff.ts'

export type Connection = 'connecting' | 'open' | 'lost' | 'refused'

type StreamOptions<F> = {
  /** Asked for at each try, since the cursor moves. */
  readonly url: () => string
  readonly names: readonly string[]
  /** Called with all that came since the last time the screen was drawn. */
  readonly onFrames: (frames: readonly F[]) => void
  readonly onConnection: (connection: Connection) => void
}

export function listen<F>({ url, names, onFrames, onConnection }: StreamOptions<F>): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let isOver = false
  const batch = createBatch(onFrames)

  const open = () => {
    source = new EventSource(url())
    source.addEventListener('open', () => onConnection('open'))
    source.addEventListener('error', () => void comeBack())
    for (const name of names) {
      source.addEventListener(name, (message: MessageEvent<string>) => {
        tries = 0
        batch.add({ event: name, data: JSON.parse(message.data) } as F)
      })
    }
  }
  const comeBack = async () => {
    source?.close()
    batch.flush()
    if (isOver) return
    onConnection('lost')
    timer = setTimeout(() => void tryAgain(), waitBefore(tries++))
  }
  /** An EventSource does not tell why it was refused, so that is asked first. */
  const tryAgain = async () => {
    const failure = await get('/api/server').then(
      () => undefined,
      (error: unknown) => (error as { readonly code?: string }).code,
    )
    if (isOver) return
    if (failure === undefined) open()
    else if (failure === 'unauthorized') onConnection('refused')
    else await comeBack()
  }

  onConnection('connecting')
  open()
  return () => {
    isOver = true
    clearTimeout(timer)
    source?.close()
    batch.stop()
  }
}

/** A tab in the background draws nothing but still wants to be up to date. */
const HIDDEN_MS = 200

function createBatch<F>(onFrames: (frames: readonly F[]) => void) {
  let waiting: F[] = []
  let isPlanned = false
  let isOver = false
  const flush = () => {
    isPlanned = false
    if (isOver || waiting.length === 0) return
    const frames = waiting
    waiting = []
    onFrames(frames)
  }
  return {
    flush,
    add(frame: F) {
      waiting.push(frame)
      if (isPlanned) return
      isPlanned = true
      if (document.hidden) setTimeout(flush, HIDDEN_MS)
      else requestAnimationFrame(flush)
    },
    stop() {
      isOver = true
    },
  }
}
