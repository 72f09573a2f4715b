/**
 * Where a browser has no shared worker, one of its tabs holds the stream for all: the one that has the lock. When it is
 * closed the next gets the lock, and all tabs say again what they follow.
 */
import { createHub } from './stream-hub.ts'
import type { Tab, ToHub, ToTab } from './messages.ts'

const CHANNEL = 'reprise-live'

type Posted =
  | { readonly to: 'hub'; readonly from: string; readonly message: ToHub }
  | { readonly to: 'tab'; readonly tab: string | undefined; readonly message: ToTab }

/** Returns how to reach whichever tab leads. */
export function joinTabs(own: string, onMessage: (message: ToTab) => void) {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<Posted>) => {
    if (data.to === 'tab' && (data.tab === undefined || data.tab === own)) onMessage(data.message)
  })
  void navigator.locks.request(`${CHANNEL}-leader`, lead)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  return (message: ToHub) => channel.postMessage({ to: 'hub', from: own, message } satisfies Posted)
}

/** For as long as this tab lives. */
function lead(): Promise<never> {
  // A channel does not hear itself, and the tab that leads is one of those that listen.
  const channel = new BroadcastChannel(CHANNEL)
  const hub = createHub()
  const tabs = new Map<string, Tab>()
  const post = (tab: string | undefined, message: ToTab) =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    channel.postMessage({ to: 'tab', tab, message } satisfies Posted)
  channel.addEventListener('message', ({ data }: MessageEvent<Posted>) => {
    if (data.to !== 'hub') return
    const { from } = data
    let tab = tabs.get(from)
    if (tab === undefined) tabs.set(from, (tab = { tell: (message) => post(from, message) }))
    hub.hear(tab, data.message)
  })
  post(undefined, { kind: 'anew' })
  return new Promise(() => {})
}
