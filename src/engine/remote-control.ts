/** What the engine's users may ask of the copies of sessions in Mission Control. Wiring brings it, where one is configured. */
import type { SessionId } from '../format/ids.ts'

export type RemoteMode = 'off' | 'export' | 'steer'

export type RemoteStatus = {
  readonly mode: RemoteMode
  readonly state: 'off' | 'connecting' | 'active' | 'error'
  /** Where people see it. */
  readonly url?: string
  readonly error?: string
  /** When the copy was last up to its log, or since when it is behind. */
  readonly at?: Date
}

export type RemoteSummary = {
  readonly id: string
  readonly name: string | null
  readonly repository: string | null
  readonly machine: string | null
  readonly state: string
  readonly isStale: boolean
  readonly isSteerable: boolean
  readonly startTime: string
  readonly modifiedTime: string
  /** From when on nothing is known of it unless its machine is heard of again. */
  readonly staleAt: string
}

export interface RemoteControl {
  /** Of the server. */
  readonly url: string
  status(id: SessionId): Promise<RemoteStatus>
  /** From now on, for this session; returns when its copy is up to its log, or could not be. */
  set(id: SessionId, mode: RemoteMode): Promise<RemoteStatus>
  /** Brings every copy that is behind up to its log. */
  sync(): Promise<{ readonly done: number; readonly failed: number }>
  sessions(): Promise<readonly RemoteSummary[]>
}
