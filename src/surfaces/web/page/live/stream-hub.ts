/**
 * Holds the one stream of a browser for all of its tabs: follows the sessions that tabs show, gives each tab what it
 * asked for, and after a break goes on behind the last event that each tab was given.
 */
import type { ActivityFrame } from '../../api.ts'
import { isOffline, post, sentence } from '../client.ts'
import { listen, type Listening } from '../stream.ts'
import type { LinkState, Tab, ToHub } from './messages.ts'

type Follow = { readonly tab: Tab; readonly sessionId: string; after: string | undefined }

type Hub = {
  readonly hear: (tab: Tab, message: ToHub) => void
}

/** The server says something every 5 seconds. */
const SILENT_MS = 16_000
const AGAIN_MS = 1000

export function createHub(): Hub {
  const tabs = new Set<Tab>()
  const follows = new Map<string, Follow>()
  let stream: Listening | undefined
  let streamId: string | undefined
  let link: LinkState = { connection: 'connecting', tries: 0, version: undefined }

  const tellAll = (message: Parameters<Tab['tell']>[0]) => {
    for (const tab of tabs) tab.tell(message)
  }
  const ask = (key: string, follow: Follow) => {
    if (streamId === undefined) return
    const { tab, sessionId, after } = follow
    const asked = streamId
    post('/api/stream/follow', { streamId, key, sessionId, after }).catch((error: unknown) => {
      // A stream that ended meanwhile is followed by another, which asks again.
      if (asked !== streamId || follows.get(key) !== follow) return
      if (isOffline(error))
        setTimeout(() => follows.get(key) === follow && ask(key, follow), AGAIN_MS)
      else tab.tell({ kind: 'failed', key, message: sentence(error) })
    })
  }
  const leaveOut = (key: string) => {
    if (streamId === undefined) return
    // What cannot be left out now is tried again with its next frame, which is for no tab.
    post('/api/stream/unfollow', { streamId, key }).catch(() => {})
  }
  const onFrame = (frame: ActivityFrame) => {
    switch (frame.event) {
      case 'beat':
        return
      case 'ready':
        streamId = frame.data.streamId
        for (const [key, follow] of follows) ask(key, follow)
        tellAll({ kind: 'ready' })
        return
      case 'changed':
        tellAll({ kind: 'changed', change: frame.data })
        return
      case 'session': {
        const { key, frame: told } = frame.data
        const follow = follows.get(key)
        if (follow === undefined) return leaveOut(key)
        if (told.event === 'event') follow.after = told.data.id
        if (told.event === 'reset') follow.after = undefined
        if (told.event === 'gone') follows.delete(key)
        follow.tab.tell({ kind: 'frame', key, frame: told })
      }
    }
  }
  const start = () =>
    listen<ActivityFrame>({
      url: () => '/api/stream',
      names: ['ready', 'changed', 'session', 'beat'],
      onFrame,
      onLink(next) {
        if (next.connection !== 'open') streamId = undefined
        link = next
        tellAll({ kind: 'link', link })
      },
      silentMs: SILENT_MS,
    })
  const unfollow = (key: string) => {
    if (follows.delete(key)) leaveOut(key)
  }
  const leave = (tab: Tab) => {
    tabs.delete(tab)
    for (const [key, follow] of follows) if (follow.tab === tab) unfollow(key)
    if (tabs.size > 0) return
    stream?.stop()
    stream = undefined
    streamId = undefined
  }
  return {
    hear(tab, message) {
      switch (message.kind) {
        case 'hello':
          tabs.add(tab)
          tab.tell({ kind: 'link', link })
          if (streamId !== undefined) tab.tell({ kind: 'ready' })
          stream ??= start()
          stream.wake()
          // Its lock is free when the tab is gone, however it went.
          void navigator.locks.request(message.tab, () => leave(tab))
          return
        case 'follow': {
          const { key, sessionId, after } = message
          if (follows.has(key)) return
          const follow = { tab, sessionId, after }
          follows.set(key, follow)
          ask(key, follow)
          return
        }
        case 'unfollow':
          unfollow(message.key)
          return
        case 'wake':
          stream?.wake()
      }
    },
  }
}
