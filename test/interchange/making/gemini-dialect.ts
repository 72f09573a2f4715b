/** Gemini's generateContent, streamed and whole. */
import type { Reply } from '../../model-server/reply.ts'

export function* geminiEvents(reply: Reply, turn: number): Generator<string> {
  yield `data: ${JSON.stringify(geminiWhole(reply, turn))}\n\n`
}

export const geminiWhole = (reply: Reply, turn: number) => ({
  candidates: [
    {
      index: 0,
      finishReason: 'STOP',
      content: {
        role: 'model',
        parts: [
          ...(reply.reasoning === undefined
            ? []
            : [{ thought: true, text: `**Thinking**\n${reply.reasoning}` }]),
          ...(reply.text === undefined ? [] : [{ text: [reply.text].flat().join('') }]),
          ...(reply.calls ?? []).map(({ name, arguments: args }, index) => ({
            functionCall: { id: `call_${turn}_${index}`, name, args },
          })),
        ],
      },
    },
  ],
  modelVersion: 'mock-1',
  usageMetadata: {
    promptTokenCount: 1234,
    candidatesTokenCount: 56,
    thoughtsTokenCount: 7,
    totalTokenCount: 1297,
    cachedContentTokenCount: 0,
  },
})
