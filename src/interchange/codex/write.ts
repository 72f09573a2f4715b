/** Lines of a new rollout of Codex, so that `codex resume` goes on with it: for its model and for people. */
import { defined } from '../../lib/defined.ts'
import type { Retold } from '../retell.ts'

type About = {
  readonly sessionId: string
  readonly cwd: string
  readonly startedAt: string
  readonly branch?: string
  readonly provider: string
}

export async function* writeCodex(
  told: AsyncIterable<Retold>,
  { sessionId, cwd, startedAt, branch, provider }: About,
): AsyncGenerator<object, void, void> {
  const line = (timestamp: string, type: string, payload: object) => ({ timestamp, type, payload })
  yield line(startedAt, 'session_meta', {
    id: sessionId,
    timestamp: startedAt,
    cwd,
    originator: 'reprise',
    cli_version: '0.100.0',
    source: 'cli',
    model_provider: provider,
    git: defined({ branch }),
  })
  for await (const item of told) {
    const { at } = item
    const message = (role: string, content: readonly object[]) =>
      line(at, 'response_item', { type: 'message', role, content })
    switch (item.kind) {
      case 'prompt':
      case 'summary': {
        const images = item.kind === 'prompt' ? item.images : []
        yield message('user', [
          { type: 'input_text', text: item.text },
          ...images.map(({ mimeType, data }) => ({
            type: 'input_image',
            image_url: `data:${mimeType};base64,${data}`,
          })),
        ])
        if (item.kind === 'prompt')
          yield line(at, 'event_msg', {
            type: 'user_message',
            message: item.text,
            images: [],
            local_images: [],
            text_elements: [],
          })
        break
      }
      case 'answer':
        if (item.text !== '') {
          yield message('assistant', [{ type: 'output_text', text: item.text }])
          yield line(at, 'event_msg', { type: 'agent_message', message: item.text })
        }
        for (const { id, name, args } of item.calls)
          yield line(at, 'response_item', {
            type: 'function_call',
            name,
            arguments: JSON.stringify(args),
            call_id: id,
          })
        break
      case 'result':
        yield line(at, 'response_item', {
          type: 'function_call_output',
          call_id: item.callId,
          output: item.text,
        })
    }
  }
}
