/** The process of the agent: the one that runs, or a new one, tried a few times with growing waits. */
import { deferred } from '../../lib/deferred.ts'
import { kindOf } from '../tools/paths.ts'
import type { Limits } from './agent-session.ts'
import { cannotStart } from './failures.ts'
import { NotStarted, startAgent, type RunningAgent } from './running-agent.ts'
import type { Supervised } from './supervised.ts'

const START_ATTEMPTS = 3

export async function ensureAgent(
  supervised: Supervised,
  cwd: string,
  signal: AbortSignal,
  onRetry: (retry: { readonly reason: string; readonly attempt: number }) => void,
): Promise<RunningAgent> {
  const { options, listener } = supervised
  const { name, limits } = options
  if (supervised.agent?.isGone === false) return supervised.agent
  supervised.session = undefined
  if ((await kindOf(cwd)) !== 'folder') {
    throw new Error(`The directory of this session is gone: ${cwd}. Nothing was sent.`)
  }
  for (let attempt = 1; ; attempt++) {
    await pause(retryDelay(supervised.failures, limits), signal)
    try {
      supervised.agent = await options.spare.take(cwd, listener.handlers)
      supervised.agent ??= await startAgent(options.line, listener.handlers, {
        ...limits,
        cwd,
        clientVersion: options.clientVersion,
        withoutFiles: options.withoutFiles,
      })
      return supervised.agent
    } catch (error) {
      supervised.failures += 1
      const mayRetry = error instanceof NotStarted && error.mayRetry && attempt < START_ATTEMPTS
      if (!mayRetry || signal.aborted) throw cannotStart(options, error)
      onRetry({ reason: `${name} did not come up. ${error.message} It is tried again.`, attempt })
    }
  }
}

const retryDelay = (failures: number, { firstRetryMs, maxRetryMs }: Limits): number =>
  failures === 0 ? 0 : Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1))

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return
  const { promise, resolve } = deferred<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
