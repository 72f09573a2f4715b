/** One request to a chosen agent: whether it comes up, and whether a word comes back. */
import { discoverAgents } from '../agents/acp/discover.ts'
import { knownAgents } from '../agents/acp/known.ts'
import type { KnownName } from '../agents/acp/known.ts'
import type { ModelChoice } from '../agents/choose.ts'
import { diagnose } from '../agents/model/errors.ts'
import { openModel } from '../agents/model/provider.ts'
import { EngineError } from '../engine/errors.ts'
import { modelOf } from './make-agent.ts'

const LONGEST_MS = 60_000

/** In words, what came back. */
export async function tryModel(choice: ModelChoice): Promise<string> {
  const config = modelOf(choice)
  const begun = performance.now()
  try {
    const model = await openModel(config, config.model)
    await model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ready.' }] }],
      maxOutputTokens: 64,
      abortSignal: AbortSignal.timeout(LONGEST_MS),
    })
  } catch (thrown) {
    const where = { provider: config.provider, model: config.model, keyHint: choice.apiKeyEnv }
    throw new EngineError('invalid', diagnose(thrown, where).error.message, { cause: thrown })
  }
  return `${config.model} answered in ${seconds(begun)}.`
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
    throw new EngineError('invalid', `${title} does not start: ${found.trouble}`)
  return `${title} ${found.version ?? ''} came up in ${seconds(begun)}.`
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
