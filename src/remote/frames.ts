/** Server-sent events of Mission Control, one after the other, until the connection ends or nothing is heard any more. */
import { askServer, type ServerAddress } from './ask-server.ts'
import { RemoteError } from './remote-error.ts'

export type Frame = { readonly event: string; readonly id?: string; readonly data: string }

/** The server speaks every 10 s; after this it is not there any more, whatever the connection says. */
const SILENCE_MS = 35_000
/** Of one event: a record of a log, at most. */
const MOST_CHARS = 24 * 1024 * 1024

export async function* framesOf(
  address: ServerAddress,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Frame, void, void> {
  const silent = new AbortController()
  const response = await askServer(address, path, {
    timeoutMs: 0,
    signal: AbortSignal.any([signal, silent.signal]),
  })
  if (response.body === null) return
  let timer = setTimeout(() => silent.abort(), SILENCE_MS)
  try {
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), SILENCE_MS)
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      if (text.length > MOST_CHARS)
        throw new RemoteError('refused', `${address.url} sends an event without end.`)
      for (const part of parts) if (!part.startsWith(':')) yield frameIn(part)
    }
  } finally {
    clearTimeout(timer)
  }
}

function frameIn(text: string): Frame {
  const fields = { event: '', id: '', data: [] as string[] }
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (name === 'event') fields.event = value
    if (name === 'id') fields.id = value
    if (name === 'data') fields.data.push(value)
  }
  const { event, id, data } = fields
  return { event, data: data.join('\n'), ...(id !== '' && { id }) }
}
