/**
 * Makes vectors of texts by an endpoint that the user has named: one that speaks as OpenAI's does, or Ollama. Nothing is
 * sent anywhere unless they did.
 */
import { fieldsOf, isFields } from '../../lib/fields.ts'

export interface Embedder {
  /** Vectors of another model are made anew. */
  readonly model: string
  /** One for each text, in their order, each of length 1. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}

export type EmbeddingConfig = {
  readonly url: string
  readonly model: string
  readonly kind?: 'openai-compatible' | 'ollama' | undefined
  readonly apiKey?: string | undefined
}

/** The endpoint did not answer, or not as it should. What is searched by words is not affected. */
export class NoEmbedding extends Error {
  override readonly name = 'NoEmbedding'
}

export const AT_ONCE = 64
const LONGEST_WAIT_MS = 30_000

export function createEmbedder({ url, model, kind, apiKey }: EmbeddingConfig): Embedder {
  const isOllama = kind === 'ollama'
  const endpoint = `${url.replace(/\/+$/, '')}${isOllama ? '/api/embed' : '/embeddings'}`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }
  async function ask(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const body = JSON.stringify({ model, input })
    const response = await fetch(endpoint, { method: 'POST', headers, body, signal })
    if (!response.ok) throw new NoEmbedding(`${endpoint} answered with ${response.status}.`)
    const vectors = vectorsIn(await response.json(), isOllama)
    if (vectors.length !== input.length)
      throw new NoEmbedding(`${endpoint} gave ${vectors.length} vectors for ${input.length} texts.`)
    return vectors
  }
  return {
    model,
    async embed(texts, signal) {
      const all: Float32Array[] = []
      const late = AbortSignal.timeout(LONGEST_WAIT_MS)
      try {
        for (let at = 0; at < texts.length; at += AT_ONCE) {
          const both = signal === undefined ? late : AbortSignal.any([signal, late])
          all.push(...(await ask(texts.slice(at, at + AT_ONCE), both)))
        }
        return all
      } catch (cause) {
        if (cause instanceof NoEmbedding) throw cause
        throw new NoEmbedding(`${endpoint} did not answer.`, { cause })
      }
    },
  }
}

function vectorsIn(answer: unknown, isOllama: boolean): Float32Array[] {
  const { data, embeddings } = fieldsOf(answer)
  const list = isOllama ? embeddings : sorted(data).map(({ embedding }) => embedding)
  return (Array.isArray(list) ? list : []).map((numbers: unknown) => {
    if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite))
      throw new NoEmbedding('The endpoint gave something that is no vector.')
    return unit(Float32Array.from(numbers as number[]))
  })
}

/** They say their place themselves. */
const sorted = (data: unknown) =>
  (Array.isArray(data) ? data.filter(isFields) : []).toSorted(
    (a, b) => Number(a['index'] ?? 0) - Number(b['index'] ?? 0),
  )

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return vector.map((each) => each / length)
}
