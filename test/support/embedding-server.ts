/**
 * An endpoint that makes vectors of texts, on the loopback, for tests and the bench. It is no model: words are counted
 * into places by their hash, and a small list of words that mean the same counts them as one. So what it gives is the
 * same on every machine, and a text and its paraphrase are near each other as far as the list goes.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string
  /** How many texts each request had. */
  readonly asked: readonly number[]
  /** What it was told last. */
  last(): {
    readonly path: string
    readonly authorization: string | undefined
    readonly body: unknown
  }
  /** Whether it answers, refuses, or keeps its caller waiting. */
  mood: 'well' | 'broken' | 'silent'
  /** How long its vectors are. */
  dimensions: number
  /** Whether it takes a text; a request with one that it does not take is refused. */
  takes: (text: string) => boolean
}

/** Each line: words that mean the same. */
export const SAME = [
  'fix repair mend',
  'speed accelerate quicken',
  'remove delete drop',
  'login signin authentication',
  'picture image photo',
  'error failure fault',
  'car vehicle automobile',
  'invoice bill receipt',
  'customer client buyer',
  'translate localise internationalise',
] as const

const DIMENSIONS = 256

export async function startEmbeddings(same: readonly string[] = SAME): Promise<EmbeddingServer> {
  const meaning = new Map(
    same.flatMap((line, at) => line.split(' ').map((word) => [word, `#${at}`])),
  )
  const asked: number[] = []
  let last = { path: '', authorization: undefined as string | undefined, body: {} as unknown }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] }
    last = { path: request.url ?? '', authorization: request.headers.authorization, body }
    if (it.mood === 'silent') return
    if (it.mood === 'broken') return void response.writeHead(500).end('{}')
    if (!body.input.every(it.takes)) return void response.writeHead(400).end('{}')
    asked.push(body.input.length)
    const vectors = body.input.map((text) => vectorOf(text, meaning, it.dimensions))
    const answer =
      request.url === '/api/embed'
        ? { embeddings: vectors }
        : { data: vectors.map((embedding, index) => ({ index, embedding })).reverse() }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it: EmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    last: () => last,
    mood: 'well',
    dimensions: DIMENSIONS,
    takes: () => true,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return it
}

const DULL = new Set(
  'the a an of to in it is was that for and we i how did do where what on with'.split(' '),
)

function vectorOf(
  text: string,
  meaning: ReadonlyMap<string, string>,
  dimensions: number,
): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    if (DULL.has(word)) continue
    const place = placeOf(meaning.get(word) ?? word)
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector.map((count) => Math.sqrt(count))
}

function placeOf(word: string): number {
  let hash = 2_166_136_261
  for (const letter of word) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0
  return hash % DIMENSIONS
}
