/**
 * The agent before there is a session: started to say what it can do and to have people log in, and taken by the first
 * session in the same directory. What it asks before that is refused.
 */
import type { Introduction } from '../../engine/agent.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { CommandLine } from './agent-process.ts'
import type { AgentHandlers } from './connection.ts'
import { startAgent, type RunningAgent, type StartOptions } from './running-agent.ts'

export interface Spare {
  introduce(cwd: string): Promise<Introduction>
  /** Undefined when there is none for this directory. */
  take(cwd: string, handlers: AgentHandlers): Promise<RunningAgent | undefined>
  close(): Promise<void>
}

const deaf: AgentHandlers = {
  request: (method) =>
    Promise.reject(new RpcFailure(rpcCodes.unknownMethod, `${method}: there is no session yet.`)),
  notification: () => {},
  odd: () => {},
}

export function createSpare(line: CommandLine, options: Omit<StartOptions, 'cwd'>): Spare {
  type Started = {
    readonly cwd: string
    readonly running: Promise<RunningAgent>
    heard: AgentHandlers
  }
  let spare: Started | undefined

  function start(cwd: string): Started {
    const handlers: AgentHandlers = {
      request: (...given) => started.heard.request(...given),
      notification: (...given) => started.heard.notification(...given),
      odd: (...given) => started.heard.odd(...given),
    }
    const running = startAgent(line, handlers, { ...options, cwd })
    const started: Started = { cwd, running, heard: deaf }
    // The session that waits for it is told; the first one starts another.
    running.catch(() => {})
    return started
  }

  return {
    async introduce(cwd) {
      spare ??= start(cwd)
      const { about, connection } = await spare.running.catch((error: unknown) => {
        spare = undefined
        throw error
      })
      return {
        capabilities: about.capabilities,
        authMethods: about.authMethods,
        line: {
          get isClosed() {
            return connection.isClosed
          },
          ask: (method, params) => connection.request(method, params),
          tell: (method, params) => connection.notify(method, params),
        },
      }
    },
    async take(cwd, handlers) {
      if (spare === undefined || spare.cwd !== cwd) return undefined
      const taken = spare
      spare = undefined
      // One that did not come up is started again, with all that is said and tried then.
      const running = await taken.running.catch(() => undefined)
      if (running === undefined || running.isGone) return undefined
      taken.heard = handlers
      return running
    },
    async close() {
      const running = await spare?.running.catch(() => undefined) // nothing was started then
      await running?.stop()
      spare = undefined
    },
  }
}
