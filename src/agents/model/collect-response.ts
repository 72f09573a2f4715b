/**
 * Some servers give a whole answer where a stream was asked for. It is read as what it is, by the library that reads
 * such answers of its dialect, and is not asked for again.
 */
import { NoAnswer } from './errors.ts'
import type { CallOptions, LanguageModel, StreamPart } from './provider.ts'

type Fetch = typeof globalThis.fetch

/** Thrown in place of a stream. */
class NotStreamed extends Error {
  override readonly name = 'NotStreamed'
}

export type WholeAnswers = {
  readonly fetch: Fetch
  readonly stream: (
    model: LanguageModel,
    request: CallOptions,
  ) => Promise<AsyncIterable<StreamPart>>
}

export function wholeAnswers(fetch: Fetch): WholeAnswers {
  let kept: Response | undefined
  return {
    fetch: async (input, init) => {
      if (kept !== undefined) return kept
      const response = await fetch(input, init)
      const type = response.headers.get('content-type') ?? ''
      if (!response.ok) return response
      if (/^text\/html\b/i.test(type)) throw new NoAnswer('a web page')
      if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return response
      kept = response
      throw new NotStreamed('The answer is no stream.')
    },
    async stream(model, request) {
      try {
        const { stream } = await model.doStream(request)
        return stream as ReadableStream<StreamPart> & AsyncIterable<StreamPart>
      } catch (error) {
        if (!(error instanceof NotStreamed)) throw error
        return partsOf(await model.doGenerate(request))
      }
    },
  }
}

type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>

async function* partsOf({
  content,
  response,
  finishReason,
  usage,
}: Generated): AsyncGenerator<StreamPart, void, undefined> {
  if (response?.id !== undefined) yield { type: 'response-metadata', id: response.id }
  for (const [at, part] of content.entries()) {
    const id = String(at)
    const { providerMetadata } = part as { providerMetadata?: typeof part.providerMetadata }
    const sealed = providerMetadata !== undefined && { providerMetadata }
    if (part.type === 'text') yield { type: 'text-delta', id, delta: part.text }
    if (part.type === 'reasoning')
      yield { type: 'reasoning-delta', id, delta: part.text, ...sealed }
    if (part.type === 'tool-call') yield part
  }
  yield { type: 'finish', finishReason, usage }
}
