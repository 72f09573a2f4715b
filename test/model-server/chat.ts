/** OpenAI chat completions, streamed. */
import { argumentsOf, piecesOf, tokensOf, type Reply } from './reply.ts'

export async function* chatEvents(
  reply: Reply,
  model: string,
  turn: number,
): AsyncGenerator<string> {
  const chunk = (choices: unknown, more = {}) =>
    `data: ${JSON.stringify({ id: `chat-${turn}`, object: 'chat.completion.chunk', created: 1_700_000_000, model, choices, ...more })}\n\n`
  const delta = (value: unknown) => chunk([{ index: 0, delta: value, finish_reason: null }])
  yield delta({ role: 'assistant' })
  if (reply.reasoning !== undefined) yield delta({ reasoning_content: reply.reasoning })
  for (const piece of piecesOf(reply)) yield delta({ content: piece })
  await reply.until
  if (reply.cut !== undefined) return
  const calls = reply.calls ?? []
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? `call_${turn}_${index}`
    yield delta({
      tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }],
    })
    yield delta({ tool_calls: [{ index, function: { arguments: argumentsOf(call) } }] })
  }
  const finish = calls.length > 0 ? 'tool_calls' : (reply.finish ?? 'stop')
  yield chunk([{ index: 0, delta: {}, finish_reason: finish }])
  const { input, output, cacheRead, reasoning } = tokensOf(reply)
  yield chunk([], {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cacheRead },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  })
  yield 'data: [DONE]\n\n'
}
