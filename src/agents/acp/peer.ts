/** An agent that runs and has said what it can do: a process, a connection to it, and the result of `initialize`. */
import { errorText } from '../../lib/error-text.ts'
import { startProcess } from './agent-process.ts'
import type { CommandLine } from './agent-process.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import { introduce } from './introduce.ts'
import type { About } from './introduce.ts'
import { speakVersion2 } from './protocol-2.ts'
import type { Translated } from './protocol-2.ts'
import type { Raw } from './raw.ts'
import { within } from './within.ts'

export interface Peer {
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

/** Heard from the first message on; what is asked before anybody listens is refused. */
export interface PeerListener {
  request(method: string, params: Raw, cancelled: AbortSignal): Promise<unknown>
  notification(method: string, params: Raw): void
  oddLine(line: string, why: string): void
}

export type PeerOptions = {
  readonly cwd: string
  readonly clientVersion: string
  readonly startMs: number
  readonly maxFrameBytes?: number
}

export async function startPeer(
  line: CommandLine,
  listener: PeerListener,
  options: PeerOptions,
): Promise<Peer> {
  const started = startProcess(line, options.cwd)
  let brokenBy: string | undefined
  let translated: Translated | undefined
  const connection = connect(
    { input: started.child.stdout, output: started.child.stdin },
    {
      request: (...given) => (translated?.listener ?? listener).request(...given),
      notification: (...given) => (translated?.listener ?? listener).notification(...given),
      oddLine: (...given) => listener.oddLine(...given),
      closed: (reason) => {
        translated?.closed(reason)
        if (/more than \d+ bytes/.test(reason)) brokenBy = reason
        void started.stop()
      },
    },
    options,
  )
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
    const about = await within(options.startMs, introduce(connection, options.clientVersion), late)
    if (about.protocolVersion === 2) translated = speakVersion2(connection, listener)
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
