/** Tells a person who looks elsewhere that a session waits: in the title, on the icon, and, where allowed, by the system. */
import { useEffect, useRef } from 'preact/hooks'
import type { Called } from '../live/notifier.ts'
import { hashOf } from '../model/route.ts'
import type { Inbox, InboxItem } from './use-inbox.ts'

export function useNotifications(inbox: Inbox, openId: string | undefined): void {
  const told = useRef<Set<string> | undefined>(undefined)
  const { waiting, items, isLoaded } = inbox
  const count = waiting.length
  const open = items.find(({ id }) => id === openId)
  useEffect(() => {
    const title = open === undefined ? 'Reprise' : `${open.title} · Reprise`
    document.title = count > 0 ? `(${count}) ${title}` : title
    drawIcon(count)
    // A page that is installed has its count on the icon of the system too.
    const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
    const badge = count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator)
    badge?.catch(() => {}) // not installed: nowhere to draw it
  }, [count, open?.title])
  useEffect(() => {
    if (!isLoaded) return
    const asks = waiting.flatMap((item) => item.asks.map(({ requestId }) => ({ item, requestId })))
    // What waited before the page was opened is seen on it.
    const before = (told.current ??= new Set(asks.map(({ requestId }) => requestId)))
    for (const { item, requestId } of asks) {
      if (before.has(requestId)) continue
      before.add(requestId)
      if (document.hidden || item.id !== openId) void tell(item)
    }
  }, [waiting, isLoaded])
}

/** Asked once, when a person is there and something is about to take long. */
export function askToNotify(): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'default') return
  if (localStorage.getItem(ASKED) !== null) return
  localStorage.setItem(ASKED, 'yes')
  void Notification.requestPermission()
}

const ASKED = 'reprise.asked-to-notify'

async function tell({ id, title, text }: InboxItem): Promise<void> {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const words = `${title} waits for you`
  const hash = hashOf({ view: 'session', id })
  const options = { body: text.slice(0, 200), tag: `reprise ${id}`, icon: '/icon.svg' }
  try {
    const notification = new Notification(words, options)
    notification.addEventListener('click', () => {
      window.focus()
      location.hash = hash
      notification.close()
    })
  } catch {
    // The constructor throws on phones, where only a worker may show one.
    await tellByWorker(words, { ...options, data: { hash } satisfies Called })
  }
}

/** Browsers of phones let nobody but a service worker show one. Where there can be none, title and icon have told it. */
async function tellByWorker(words: string, options: NotificationOptions): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (workers === undefined) return
  workers.addEventListener('message', goThere)
  workers.startMessages()
  try {
    await workers.register('/notifier.js')
    await (await workers.ready).showNotification(words, options)
  } catch {
    // A certificate that the browser does not trust, or a system that shows none.
  }
}

const goThere = ({ data }: MessageEvent<Called>): void => {
  location.hash = data.hash
}

/** The icon of the tab with a number on it. */
function drawIcon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link === null) return
  if (count === 0) {
    link.href = '/icon.svg'
    return
  }
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const pen = canvas.getContext('2d')
  if (pen === null) return
  pen.fillStyle = '#b45309'
  pen.beginPath()
  pen.arc(32, 32, 30, 0, Math.PI * 2)
  pen.fill()
  pen.fillStyle = '#ffffff'
  pen.font = 'bold 40px system-ui, sans-serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(count > 9 ? '9+' : String(count), 32, 34)
  link.href = canvas.toDataURL('image/png')
}
