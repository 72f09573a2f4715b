/**
 * Makes vectors of texts by an endpoint that the user has named: one that speaks as OpenAI's does, or Ollama. Nothing is
 * sent anywhere unless they did.
 */
import { fieldsOf, isFields } from '../../lib/fields.ts'
import { guardedFetch, refusedIn } from '../../lib/guarded-fetch.ts'

export interface Embedder {
  /** Vectors of another model are made anew. */
  readonly model: string
  /** One for each text, in their order, each of length 1; undefined for a text that the endpoint does not take. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>
}

export type Vector = Float32Array | undefined

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

/** It does not take what it was sent; something else it may. */
class Refused extends NoEmbedding {}

export const AT_ONCE = 64
const LONGEST_WAIT_MS = 30_000
/** What endpoints say of a text that is too long or otherwise not to their liking. */
const REFUSALS: readonly number[] = [400, 413, 422, 500]
const HARMLESS = 'a'
/** Characters. A shorter text is refused for another reason than its length. */
const SHORT = 200

/** Vectors of 64 texts. */
const guarded = guardedFetch({ mostBytes: 32 * 1024 * 1024 })

export function createEmbedder({ url, model, kind, apiKey }: EmbeddingConfig): Embedder {
  const isOllama = kind === 'ollama'
  const endpoint = `${url.replace(/\/+$/, '')}${isOllama ? '/api/embed' : '/embeddings'}`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }
  async function ask(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const body = JSON.stringify({ model, input })
    const response = await guarded(endpoint, { method: 'POST', headers, body, signal })
    const { ok, status } = response
    if (!ok) {
      const Failure = REFUSALS.includes(status) ? Refused : NoEmbedding
      throw new Failure(`${endpoint} answered with ${status}.`)
    }
    const vectors = vectorsIn(await response.json(), isOllama)
    if (vectors.length !== input.length)
      throw new NoEmbedding(`${endpoint} gave ${vectors.length} vectors for ${input.length} texts.`)
    return vectors
  }
  return {
    model,
    async embed(texts, signal) {
      const all: Vector[] = []
      const late = AbortSignal.timeout(LONGEST_WAIT_MS)
      const both = signal === undefined ? late : AbortSignal.any([signal, late])
      const some = (input: readonly string[]) => ask(input, both)
      try {
        for (let at = 0; at < texts.length; at += AT_ONCE) {
          const step = texts.slice(at, at + AT_ONCE)
          all.push(...(await some(step).catch((cause: unknown) => theRest(some, step, cause))))
        }
        return all
      } catch (cause) {
        if (cause instanceof NoEmbedding) throw cause
        const refused = refusedIn(cause)
        const words = refused === undefined ? '' : ` ${refused.message}`
        throw new NoEmbedding(`${endpoint} did not answer.${words}`, { cause })
      }
    },
  }
}

type Ask = (texts: readonly string[]) => Promise<readonly Vector[]>

/** One text that an endpoint does not take holds back no other. An endpoint that takes nothing at all has failed. */
async function theRest(ask: Ask, texts: readonly string[], cause: unknown) {
  if (!(cause instanceof Refused)) throw cause
  await ask([HARMLESS])
  return inHalves(ask, texts)
}

async function inHalves(ask: Ask, texts: readonly string[]): Promise<readonly Vector[]> {
  const [only = ''] = texts
  const isOne = texts.length === 1
  // It may be too long for this model: its beginning says most.
  if (isOne && only.length < SHORT) return [undefined]
  const middle = Math.ceil((isOne ? only : texts).length / 2)
  const halves = isOne
    ? [[only.slice(0, middle).toWellFormed()]]
    : [texts.slice(0, middle), texts.slice(middle)]
  const vectors: Vector[] = []
  for (const half of halves)
    vectors.push(
      ...(await ask(half).catch((cause: unknown) => {
        if (!(cause instanceof Refused)) throw cause
        return inHalves(ask, half)
      })),
    )
  return vectors
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
