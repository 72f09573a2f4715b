/** An agent that runs and has said what it can do: a process, a connection to it, and the result of `initialize`. */
import { errorText } from '../../lib/error-text.ts'
import { fieldsOf } from '../../lib/fields.ts'
import { BrokenFrame } from '../../lib/json-rpc/framing.ts'
import { lines } from '../../lib/json-rpc/lines.ts'
import { openPeer } from '../../lib/json-rpc/peer.ts'
import { startProcess, type CommandLine } from './agent-process.ts'
import type { AgentHandlers, Connection } from './connection.ts'
import { introduce, type About, type Offering } from './introduce.ts'
import { speakVersion2, type Translated } from './protocol-2.ts'
import { within } from './with-timeout.ts'

export interface RunningAgent {
  readonly connection: Connection
  readonly about: About
  readonly isGone: boolean
  /** In words, for a person: how it ended, and what it said last. */
  farewell(): Promise<string>
  stop(): Promise<void>
}

/** It did not come up. Worth another attempt only when it ended by itself. */
export class NotStarted extends Error {
  readonly mayRetry: boolean

  constructor(message: string, options: { readonly mayRetry: boolean; readonly cause: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'NotStarted'
    this.mayRetry = options.mayRetry
  }
}

export type StartOptions = Offering & {
  readonly cwd: string
  readonly clientVersion: string
  readonly startMs: number
  readonly maxFrameBytes?: number
}

export async function startAgent(
  line: CommandLine,
  handlers: AgentHandlers,
  options: StartOptions,
): Promise<RunningAgent> {
  const started = startProcess(line, options.cwd)
  let brokenBy: string | undefined
  let translated: Translated | undefined
  const current = () => translated?.handlers ?? handlers
  const connection = openPeer(
    { input: started.child.stdout, output: started.child.stdin },
    lines,
    {
      request: (method, params, cancelled) =>
        current().request(method, fieldsOf(params), cancelled),
      notification: (method, params) => current().notification(method, fieldsOf(params)),
      odd: handlers.odd,
    },
    options,
  )
  void connection.ended.then((reason) => {
    translated?.closed(reason)
    if (reason instanceof BrokenFrame) brokenBy = reason.message
    void started.stop()
  })
  void started.ended.then(
    () => connection.close(new Error('It ended.')),
    (error: Error) => connection.close(error),
  )

  async function farewell(): Promise<string> {
    const end = await started.ended.catch((error: Error) => `before it began: ${error.message}`)
    const words = started.lastWords()
    const broken = brokenBy === undefined ? '' : ` ${brokenBy}`
    return `It ended ${end}.${broken}${words === '' ? '' : ` Its last words: ${words}`}`
  }

  try {
    const late = () => new Error(`It did not answer within ${options.startMs} ms.`)
    const about = await within(
      options.startMs,
      introduce(connection, options.clientVersion, options),
      late,
    )
    if (about.protocolVersion === 2) translated = speakVersion2(connection, handlers)
    return {
      connection: translated?.connection ?? connection,
      about,
      get isGone() {
        return connection.isClosed
      },
      farewell,
      stop: async () => {
        connection.close(new Error('It was ended.'))
        await started.stop()
      },
    }
  } catch (error) {
    const wasGone = connection.isClosed
    connection.close(new Error('It was ended.'))
    await started.stop()
    const reason = errorText(error)
    const mayRetry = wasGone && started.child.pid !== undefined
    throw new NotStarted(wasGone ? await farewell() : reason, { mayRetry, cause: error })
  }
}
