/** The shared worker: one hub for all tabs of a browser. */
import { createHub } from './stream-hub.ts'
import type { Tab, ToHub } from './messages.ts'

const hub = createHub()

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port === undefined) return
  const tab: Tab = { tell: (message) => port.postMessage(message) }
  port.addEventListener('message', ({ data }: MessageEvent<ToHub>) => hub.hear(tab, data))
  port.start()
})
