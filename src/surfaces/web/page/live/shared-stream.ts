/** The tab's end of the one stream: follow a session, hear what changes in any, and know whether the line holds. */
import type { StreamFrame } from '../../api.ts'
import { whenUnreachable } from '../client.ts'
import { batched } from './batch.ts'
import { joinTabs } from './tab-leader.ts'
import { watchReach } from './connectivity.ts'
import type { Changed, LinkState, ToHub, ToTab } from './messages.ts'

/** The address of the worker, which has its content in its name: two versions of the page do not share one. */
declare const LIVE_WORKER: string

type Follow = {
  readonly sessionId: string
  after: string | undefined
  readonly onFrame: (frame: StreamFrame) => void
  readonly onFailure: (message: string) => void
}
type ListEvent = { readonly kind: 'ready' } | { readonly kind: 'changed'; readonly change: Changed }

const tab = `reprise-tab-${crypto.randomUUID()}`
const follows = new Map<string, Follow>()
const lists = new Set<(event: ListEvent) => void>()
const watchers = new Set<(link: LinkState) => void>()
let link: LinkState = { connection: 'connecting', tries: 0, version: undefined }
/** The worker that holds the stream may be let through where this tab is not. */
const reach = watchReach(tellLink)
let say: ((message: ToHub) => void) | undefined

/** Frames come in bursts, once for each time that the screen is drawn. Returns how to stop. */
export function followSession(
  sessionId: string,
  after: string | undefined,
  told: {
    readonly onFrames: (frames: readonly StreamFrame[]) => void
    readonly onFailure: (message: string) => void
  },
): () => void {
  const key = crypto.randomUUID()
  const batch = batched(told.onFrames)
  follows.set(key, { sessionId, after, onFrame: batch.add, onFailure: told.onFailure })
  connect()({ kind: 'follow', key, sessionId, after })
  return () => {
    batch.stop()
    if (follows.delete(key)) connect()({ kind: 'unfollow', key })
  }
}

export function watchSessions(onEvents: (events: readonly ListEvent[]) => void): () => void {
  const batch = batched(onEvents)
  lists.add(batch.add)
  connect()
  return () => {
    batch.stop()
    lists.delete(batch.add)
  }
}

export function watchLink(onLink: (link: LinkState) => void): () => void {
  watchers.add(onLink)
  connect()
  onLink(linkNow())
  return () => void watchers.delete(onLink)
}

/** Acts once, when the line holds again after it was cut. Where nothing is heard of it, as with guests, never. */
export function onceBack(act: () => void, signal: AbortSignal): void {
  if (say === undefined || signal.aborted) return
  let wasCut = false
  const stop = watchLink(({ connection }) => {
    if (connection !== 'open') wasCut = true
    else if (wasCut) {
      stop()
      act()
    }
  })
  signal.addEventListener('abort', stop)
}

export function wake(): void {
  connect()({ kind: 'wake' })
  if (reach.failures() > 0) reach.look()
}

const linkNow = (): LinkState =>
  link.connection === 'open' && reach.failures() > 0
    ? { ...link, connection: 'lost', tries: reach.failures() }
    : link

function tellLink(): void {
  for (const watcher of watchers) watcher(linkNow())
}

function connect(): (message: ToHub) => void {
  if (say !== undefined) return say
  const post = typeof SharedWorker === 'undefined' ? joinTabs(tab, hear) : joinWorker()
  let waiting: ToHub[] | undefined = []
  say = (message) => (waiting === undefined ? post(message) : void waiting.push(message))
  // The lock tells that this tab lives, so it is held before the hub hears of it.
  void navigator.locks.request(tab, () => {
    post({ kind: 'hello', tab })
    for (const message of waiting ?? []) post(message)
    waiting = undefined
    return new Promise(() => {})
  })
  whenUnreachable(reach.look)
  addEventListener('offline', reach.look)
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', () => document.hidden || wake())
  return say
}

function joinWorker(): (message: ToHub) => void {
  const { port } = new SharedWorker(LIVE_WORKER, { type: 'module', name: 'reprise' })
  port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => hear(data))
  port.start()
  return (message) => port.postMessage(message)
}

function hear(message: ToTab): void {
  switch (message.kind) {
    case 'anew':
      say?.({ kind: 'hello', tab })
      for (const [key, { sessionId, after }] of follows)
        say?.({ kind: 'follow', key, sessionId, after })
      return
    case 'link':
      ;({ link } = message)
      tellLink()
      return
    case 'ready':
    case 'changed':
      for (const list of lists) list(message)
      return
    case 'frame': {
      const follow = follows.get(message.key)
      const { frame } = message
      if (follow === undefined) return
      if (frame.event === 'event') follow.after = frame.data.id
      if (frame.event === 'reset') follow.after = undefined
      follow.onFrame(frame)
      return
    }
    case 'failed':
      follows.get(message.key)?.onFailure(message.message)
  }
}
