/** One request to a chosen agent: whether it comes up, and whether a word comes back. */
import { discoverAgents } from '../agents/acp/discover.ts'
import { knownAgents, type KnownName } from '../agents/acp/known.ts'
import type { ModelChoice } from '../agents/choose.ts'
import { CutStream, diagnose, spokenName } from '../agents/model/errors.ts'
import { keyHintOf, networkOf, openModel, type LanguageModel } from '../agents/model/provider.ts'
import { wholeAnswers, type WholeAnswers } from '../agents/model/collect-response.ts'
import { EngineError } from '../engine/errors.ts'
import { modelOf } from './make-agent.ts'

const LONGEST_MS = 60_000

/** In words, what came back. */
export async function tryModel(choice: ModelChoice): Promise<string> {
  const config = modelOf(choice)
  const begun = performance.now()
  try {
    const { fetch, stream } = wholeAnswers(networkOf(config))
    await firstWord(await openModel(config, config.model, fetch), stream)
  } catch (thrown) {
    const where = { provider: spokenName(config), model: config.model, keyHint: keyHintOf(config) }
    throw new EngineError('invalid', diagnose(thrown, where).error.message, { cause: thrown })
  }
  return `${config.model} answered in ${seconds(begun)}.`
}

/** Streamed, as every answer will be: some servers know nothing else. */
async function firstWord(model: LanguageModel, stream: WholeAnswers['stream']): Promise<void> {
  const enough = new AbortController()
  const parts = await stream(model, {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ready.' }] }],
    maxOutputTokens: 64,
    abortSignal: AbortSignal.any([enough.signal, AbortSignal.timeout(LONGEST_MS)]),
  })
  for await (const part of parts) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish' || part.type.endsWith('-delta')) return enough.abort()
  }
  throw new CutStream('The answer ended without a word.')
}

export async function tryAgent(
  name: KnownName,
  { cwd, version }: { readonly cwd: string; readonly version: string },
): Promise<string> {
  const begun = performance.now()
  const agents = { [name]: knownAgents[name] }
  const [found] = await discoverAgents({ cwd, version, agents })
  const { title, package: from } = knownAgents[name]
  if (found?.command === undefined)
    throw new EngineError('not_found', `${title} is not installed. Install: npm i -g ${from}.`)
  if (found.trouble !== undefined)
    throw new EngineError('invalid', `${title} does not start: ${ended(found.trouble)}`)
  return `${title} ${found.version ?? ''} came up in ${seconds(begun)}.`
}

const ended = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`)

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
