/** The Copilot CLI's own interchange, as `copilot sessions import` takes it: messages, calls, results. */
import type { Retold } from '../convert/replay-to-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import type { Picture } from '../convert/import-drafts.ts'

const FAILED = 'It failed.'
const UNKNOWN = 'application/octet-stream'

type Given = {
  readonly externalId: string
  readonly createdAt: string
  /** Puts a picture beside the file and says where, as seen from it; undefined when it is too large to be taken. */
  readonly attach: (picture: Picture) => Promise<string | undefined>
}

export async function* writeCopilot(
  told: AsyncIterable<Retold>,
  { externalId, createdAt, attach }: Given,
  tally: Tally,
): AsyncGenerator<object, void, void> {
  yield { type: 'session', version: 1, externalId, createdAt }
  const names = new Map<string, string>()
  for await (const item of told) {
    const { id, at: timestamp } = item
    const message = (
      role: 'user' | 'assistant',
      text: string,
      attached: readonly object[] = [],
    ) => ({
      type: 'message',
      id,
      timestamp,
      role,
      content: [{ type: 'text', text }, ...attached],
    })
    switch (item.kind) {
      case 'prompt': {
        const attached: object[] = []
        for (const picture of item.images) {
          const path = await attach(picture)
          tally.count('images', path === undefined ? 'lost' : 'kept')
          if (path === undefined) tally.note('A picture of over 10 MB is left out: it takes none.')
          if (path !== undefined)
            attached.push({ type: 'attachment', path, mediaType: picture.mimeType || UNKNOWN })
        }
        yield message('user', item.text, attached)
        break
      }
      case 'answer':
        if (item.thinking !== undefined) tally.count('thinking', 'lost')
        if (item.usage !== undefined) tally.count('usage', 'lost')
        // A call has to follow an answer of the same turn.
        yield message('assistant', item.text)
        for (const { id: callId, name, args } of item.calls) {
          // Some providers count their calls anew in every answer; here each has to have a name of its own.
          const own = names.has(callId) || callId === id ? `${id}-${callId}` : callId
          names.set(callId, own)
          yield { type: 'tool-call', id: own, timestamp, name: name || 'tool', arguments: args }
        }
        break
      case 'result':
        tally.count('images', 'lost', item.images.length)
        if (item.images.length > 0)
          tally.note('Pictures in results of tools are left out: it has no place for them.')
        yield {
          type: 'tool-result',
          id,
          timestamp,
          toolCallId: names.get(item.callId) ?? item.callId,
          success: !item.isError,
          // A failure without words is refused, and what stands beside its words is put before them.
          ...(item.isError
            ? { error: { message: item.text.trim() === '' ? FAILED : item.text } }
            : { content: item.text }),
        }
        break
      case 'summary':
        tally.count('compactions', 'lost')
        tally.note('Summaries are left out: what they stand for is all there.')
    }
  }
}
