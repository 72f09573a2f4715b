/** The Copilot CLI's own interchange, as `copilot sessions import` takes it: messages, calls, results. */
import type { Retold } from '../retell.ts'
import type { Tally } from '../tally.ts'

export async function* writeCopilot(
  told: AsyncIterable<Retold>,
  { externalId, createdAt }: { readonly externalId: string; readonly createdAt: string },
  tally: Tally,
): AsyncGenerator<object, void, void> {
  yield { type: 'session', version: 1, externalId, createdAt }
  for await (const item of told) {
    const { id, at: timestamp } = item
    const message = (role: 'user' | 'assistant', text: string) => ({
      type: 'message',
      id,
      timestamp,
      role,
      content: [{ type: 'text', text }],
    })
    switch (item.kind) {
      case 'prompt':
        tally.count('images', 'lost', item.images.length)
        yield message('user', item.text)
        break
      case 'answer':
        if (item.thinking !== undefined) tally.count('thinking', 'lost')
        if (item.usage !== undefined) tally.count('usage', 'lost')
        // A call has to follow an answer of the same turn.
        yield message('assistant', item.text)
        for (const { id: callId, name, args } of item.calls)
          yield { type: 'tool-call', id: callId, timestamp, name, arguments: args }
        break
      case 'result':
        tally.count('images', 'lost', item.images.length)
        yield {
          type: 'tool-result',
          id,
          timestamp,
          toolCallId: item.callId,
          success: !item.isError,
          content: item.text,
        }
        break
      case 'summary':
        tally.count('compactions', 'lost')
        tally.note('Summaries are left out: what they stand for is all there.')
    }
  }
}
