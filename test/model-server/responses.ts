/** OpenAI responses, streamed. */
import { argumentsOf, piecesOf, tokensOf, type Reply } from './reply.ts'

export async function* responsesEvents(
  reply: Reply,
  model: string,
  turn: number,
): AsyncGenerator<string> {
  let sequence = 0
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`
  const head = { id: `resp_${turn}`, object: 'response', created_at: 1_700_000_000, model }
  let index = 0
  yield event('response.created', { response: { ...head, status: 'in_progress' } })
  if (reply.reasoning !== undefined) {
    const id = `rs_${turn}`
    const at = { item_id: id, output_index: index, summary_index: 0 }
    yield event('response.output_item.added', {
      output_index: index,
      item: { type: 'reasoning', id, summary: [], encrypted_content: null },
    })
    yield event('response.reasoning_summary_part.added', {
      ...at,
      part: { type: 'summary_text', text: '' },
    })
    yield event('response.reasoning_summary_text.delta', { ...at, delta: reply.reasoning })
    yield event('response.reasoning_summary_part.done', {
      ...at,
      part: { type: 'summary_text', text: reply.reasoning },
    })
    yield event('response.output_item.done', {
      output_index: index++,
      item: {
        type: 'reasoning',
        id,
        summary: [{ type: 'summary_text', text: reply.reasoning }],
        encrypted_content: `sealed-${turn}`,
      },
    })
  }
  const pieces = piecesOf(reply)
  if (pieces.length > 0) {
    const id = `msg_${turn}`
    const item = { type: 'message', id, role: 'assistant', status: 'in_progress', content: [] }
    yield event('response.output_item.added', { output_index: index, item })
    for (const delta of pieces) {
      yield event('response.output_text.delta', {
        item_id: id,
        output_index: index,
        content_index: 0,
        delta,
      })
    }
    await reply.until
    if (reply.cut !== undefined) return
    const content = [{ type: 'output_text', text: pieces.join(''), annotations: [] }]
    yield event('response.output_item.done', {
      output_index: index++,
      item: { ...item, status: 'completed', content },
    })
  }
  for (const [number, call] of (reply.calls ?? []).entries()) {
    const item = {
      type: 'function_call',
      id: `fc_${turn}_${number}`,
      call_id: call.id ?? `call_${turn}_${number}`,
      name: call.name,
    }
    const text = argumentsOf(call)
    yield event('response.output_item.added', {
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    })
    yield event('response.function_call_arguments.delta', {
      item_id: item.id,
      output_index: index,
      delta: text,
    })
    yield event('response.output_item.done', {
      output_index: index++,
      item: { ...item, arguments: text, status: 'completed' },
    })
  }
  const { input, output, cacheRead, reasoning } = tokensOf(reply)
  const isCut = reply.finish === 'length'
  yield event(isCut ? 'response.incomplete' : 'response.completed', {
    response: {
      ...head,
      status: isCut ? 'incomplete' : 'completed',
      incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cacheRead },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: input + output,
      },
    },
  })
}
