/**
 * Two of everything, each with a secret word of its own. A recorder keeps every request whole, and fails on a word that
 * belongs to another.
 */
import assert from 'node:assert/strict'
import { startModelServer } from '../model-server/server.ts'
import type { Asked, Failure, Reply } from '../model-server/reply.ts'

export interface Recorder extends AsyncDisposable {
  readonly baseUrl: string
  /** What is asked from now on is sent on to there. */
  redirectTo(target: string | undefined): void
  /** The secret words that came since this was last asked, once each. */
  heard(): readonly string[]
  /** How many requests came since `heard` was last called. */
  readonly count: number
}

/** Whose it is, and which kind of credential. */
export const word = (owner: string, kind: string): string => `secret-${owner}-${kind}`

export const wordsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/secret-[a-z]+-[a-z]+/g)].map(([found]) => found)),
]

export async function startRecorder(owner: string): Promise<Recorder> {
  let target: string | undefined
  let from = 0
  const answer = ({ url }: Asked): Reply | Failure =>
    target === undefined
      ? { text: `answer of ${owner}` }
      : { status: 307, headers: { location: target + url } }
  const model = await startModelServer(answer, { titles: 'scripted' })
  const fresh = () => model.requests.slice(from)
  const all = () => wordsIn(JSON.stringify(model.requests))
  return {
    baseUrl: model.baseUrl,
    redirectTo: (next) => void (target = next === undefined ? undefined : new URL(next).origin),
    heard() {
      const words = wordsIn(JSON.stringify(fresh()))
      from = model.requests.length
      return words
    },
    get count() {
      return fresh().length
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      const strays = all().filter((found) => !found.startsWith(word(owner, '')))
      assert.deepEqual(strays, [], `words that reached ${owner}`)
    },
  }
}
