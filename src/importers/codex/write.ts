/** Lines of a new rollout of Codex, so that `codex resume` goes on with it: for its model and for people. */
import { defined } from '../../lib/defined.ts'
import type { Retold } from '../convert/replay-to-drafts.ts'
import type { Tally } from '../convert/fidelity-report.ts'
import type { Picture, Usage } from '../convert/import-drafts.ts'

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
  tally: Tally,
): AsyncGenerator<object, void, void> {
  const total = { input: 0, output: 0, cacheRead: 0, reasoning: 0 }
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
        yield message('user', [{ type: 'input_text', text: item.text }, ...images.map(imageOf)])
        tally.count('images', 'kept', images.length)
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
        // What people see; the model that goes on is not told what another one thought.
        if (item.thinking !== undefined) {
          tally.count('thinking')
          yield line(at, 'event_msg', { type: 'agent_reasoning', text: item.thinking })
        }
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
        if (item.usage !== undefined) {
          tally.count('usage')
          yield line(at, 'event_msg', countOf(item.usage, total))
        }
        break
      case 'result':
        yield line(at, 'response_item', {
          type: 'function_call_output',
          call_id: item.callId,
          output:
            item.images.length === 0
              ? item.text
              : [{ type: 'input_text', text: item.text }, ...item.images.map(imageOf)],
        })
        tally.count('images', 'kept', item.images.length)
    }
  }
}

const imageOf = ({ mimeType, data }: Picture) => ({
  type: 'input_image',
  image_url: `data:${mimeType};base64,${data}`,
})

type Total = { input: number; output: number; cacheRead: number; reasoning: number }

/** The last call, and all together. */
function countOf({ input = 0, output = 0, cacheRead = 0, reasoning = 0 }: Usage, total: Total) {
  total.input += input
  total.output += output
  total.cacheRead += cacheRead
  total.reasoning += reasoning
  return {
    type: 'token_count',
    info: {
      total_token_usage: tokensOf(total),
      last_token_usage: tokensOf({ input, output, cacheRead, reasoning }),
      model_context_window: null,
    },
    rate_limits: null,
  }
}

const tokensOf = ({ input, output, cacheRead, reasoning }: Total) => ({
  input_tokens: input,
  cached_input_tokens: cacheRead,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
})
