/**
 * The service worker of notifications, for browsers that show none without one, as those of phones do. It answers no
 * request of the page; when a notification is touched, it brings the page to the front and tells it where to go.
 */
type Client = {
  focus(): Promise<unknown>
  postMessage(message: Called): void
}
type Clients = {
  matchAll(options: {
    readonly type: 'window'
    readonly includeUncontrolled: true
  }): Promise<readonly Client[]>
  openWindow(url: string): Promise<unknown>
}
type Touched = Event & {
  readonly notification: Notification
  waitUntil(work: Promise<unknown>): void
}

/** `hash`: the place of the session that waits. */
export type Called = { readonly hash: string }

addEventListener('notificationclick', (event) => {
  const { notification, waitUntil } = event as Touched
  const { clients } = globalThis as unknown as { readonly clients: Clients }
  notification.close()
  waitUntil.call(event, show(clients, notification.data as Called))
})

async function show(clients: Clients, called: Called): Promise<void> {
  const [page] = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (page === undefined) return void (await clients.openWindow(`/${called.hash}`))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client is of this origin
  page.postMessage(called)
  // Some browsers refuse it to who did not touch just now; the page is at the place all the same.
  await page.focus().catch(() => {})
}
