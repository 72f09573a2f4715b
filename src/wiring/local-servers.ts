/** Servers of models on this machine, at the ports that they have by default. Asked for their models, and nothing else. */
import { isOnPath } from '../lib/on-path.ts'
import { listModels, type ListedModel } from '../agents/model/list-models.ts'

type LocalServer = {
  readonly name: string
  readonly baseUrl: string
  /** Undefined where it is known to be installed, and does not answer. */
  readonly models: readonly ListedModel[] | undefined
}

/** What runs here answers at once; what does not is refused at once. */
const WAIT_MS = 700

export async function localServers(env: NodeJS.ProcessEnv): Promise<readonly LocalServer[]> {
  const found = await Promise.all(
    Object.entries(addresses(env)).map(async ([name, baseUrl]) => {
      const config = { provider: 'openai-compatible', baseUrl, model: '' } as const
      const models = await listModels(config, AbortSignal.timeout(WAIT_MS)).catch(
        // No server is there.
        () => undefined,
      )
      return { name, baseUrl, models }
    }),
  )
  // Ollama begins without any; on the ports of the others something else may answer.
  return found.filter(({ name, models }) =>
    name === 'ollama'
      ? models !== undefined || isExpected(env)
      : models !== undefined && models.length > 0,
  )
}

/** A user who has Ollama, or says where it is, is told that it does not answer. */
const isExpected = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env['OLLAMA_HOST']) || isOnPath('ollama', env)

/** Ollama's own variable says where it is: a host, a port or both; what it listens to everywhere is here, too. */
function ollama(given: string): string {
  const bare = given.replace(/^https?:\/\//, '').replace(/\/+$/, '')
  const whole = `http://${bare.startsWith(':') ? `127.0.0.1${bare}` : bare}`
  if (!URL.canParse(whole)) return 'http://127.0.0.1:11434'
  const { hostname, port } = new URL(whole)
  return `http://${hostname === '0.0.0.0' ? '127.0.0.1' : hostname}:${port || '11434'}`
}

const addresses = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> => ({
  ollama: `${ollama(env['OLLAMA_HOST'] || '127.0.0.1')}/v1`,
  'llama.cpp': 'http://127.0.0.1:8080/v1',
  vllm: 'http://127.0.0.1:8000/v1',
  'lm-studio': 'http://127.0.0.1:1234/v1',
})
