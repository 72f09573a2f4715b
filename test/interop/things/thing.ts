/** One thing that a program does with the Copilot SDK: what it sees is compared between the two programs behind it. */
import type { CopilotClient, CopilotClientOptions, SessionConfig } from '@github/copilot-sdk'
import type { ScriptedModel } from '../scripted-model.ts'

export type Side = 'genuine' | 'ours'

export type Stage = {
  readonly side: Side
  readonly home: string
  /** The project, one for each thing. */
  readonly dir: string
  readonly model: ScriptedModel
  /** Of all things of one table. */
  readonly client: CopilotClient
  /** What every session is created with. */
  readonly config: SessionConfig
  /** A client with a server of its own, or of another one's; it ends with the thing. */
  another(options?: Partial<CopilotClientOptions>, connection?: Connection): CopilotClient
}

export type Connection = {
  readonly args?: string[]
  /** Over TCP, with this token. */
  readonly token?: string
  /** At a server that runs. */
  readonly port?: number
}

/** Gives back what the program saw. Ids, times and folders may be in it; `plain` takes them out. */
export type Thing = (stage: Stage) => Promise<unknown>
export type Things = Readonly<Record<string, Thing>>

/** What a call that may be refused gave. */
export const outcome = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    return await promise
  } catch (error) {
    return { refused: (error as { code?: number }).code ?? 'Error' }
  }
}

/** A client's connection, for calls that its types do not have. */
export const ask = (client: CopilotClient, method: string, params: object = {}): Promise<unknown> =>
  outcome(
    (
      client as unknown as {
        connection: { sendRequest(name: string, given: object): Promise<unknown> }
      }
    ).connection.sendRequest(method, params),
  )
