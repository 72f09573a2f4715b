/** Anthropic messages, streamed. */
import { argumentsOf, piecesOf, tokensOf, type Reply } from './reply.ts'

export async function* messagesEvents(
  reply: Reply,
  model: string,
  turn: number,
): AsyncGenerator<string> {
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const { input, output, cacheRead } = tokensOf(reply)
  let index = 0
  function* block(start: object, deltas: readonly object[]) {
    yield event('content_block_start', { index, content_block: start })
    for (const delta of deltas) yield event('content_block_delta', { index, delta })
    yield event('content_block_stop', { index: index++ })
  }
  yield event('message_start', {
    message: {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      usage: {
        input_tokens: input - cacheRead,
        output_tokens: 1,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: 0,
      },
    },
  })
  if (reply.reasoning !== undefined) {
    yield* block({ type: 'thinking', thinking: '' }, [
      { type: 'thinking_delta', thinking: reply.reasoning },
      { type: 'signature_delta', signature: `signed-${turn}` },
    ])
  }
  const pieces = piecesOf(reply)
  if (pieces.length > 0) {
    yield* block(
      { type: 'text', text: '' },
      pieces.map((text) => ({ type: 'text_delta', text })),
    )
  }
  await reply.until
  if (reply.cut !== undefined) return
  const calls = reply.calls ?? []
  for (const [number, call] of calls.entries()) {
    const id = call.id ?? `toolu_${turn}_${number}`
    yield* block({ type: 'tool_use', id, name: call.name, input: {} }, [
      { type: 'input_json_delta', partial_json: argumentsOf(call) },
    ])
  }
  const stop = calls.length > 0 ? 'tool_use' : reply.finish === 'length' ? 'max_tokens' : 'end_turn'
  yield event('message_delta', {
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: output },
  })
  yield event('message_stop', {})
}
