/**
 * One session, wherever it runs: in this process, in another process of this machine, or on another machine. Every
 * surface speaks with this and nothing below it. What cannot be done now is refused with an `EngineError`; two of its
 * codes are about distance: `unreachable` (nobody there could be asked; nothing was changed) and `waits` (it was
 * accepted and is done when the machine of the session is back).
 *
 * Most of it is the table of operations; what takes or gives objects of this process, or a stream, is declared here.
 */
import type { SessionId } from '../format/ids.ts'
import type { TranscriptEntry } from '../state/transcript.ts'
import type { Agent, OptionChoice, UserCall } from './agent.ts'
import type { CloseOptions } from './live/close.ts'
import type { FeedItem } from './live/feed.ts'
import type { FollowOptions } from './live/follow.ts'
import type { Holder } from './sessions/in-use.ts'
import type { OpenOptions, Opened } from './live/open.ts'
import type { OperationName, Operations } from './operations/table.ts'
import type { SessionParts } from './session-parts.ts'
import type { Activity } from './turn/activity.ts'
import type { RanTool, RunToolOptions } from './turn/run-tool.ts'

export interface Session extends Operations {
  readonly id: SessionId
  /** The machine that it is on, where that is another one. */
  readonly machine?: string
  /** One operation by its name, with parameters that passed its schema. */
  perform(name: OperationName, params: object): Promise<unknown>
  /** Opens it now, in place of with the first operation that needs it. */
  resume(options?: OpenOptions): Promise<Opened>
  /** Writes a session that has said nothing yet. */
  save(): Promise<void>
  /** Ends its life in this process; the log stays. */
  close(options?: CloseOptions): Promise<void>
  /** Lets another process write, unless something goes on here. */
  releaseLease(): Promise<void>
  /** Another process that has the session open for writing. */
  holder(): Promise<Holder | undefined>
  /** What goes on in it now, as far as this process knows; undefined while it is not open here. */
  readonly now: Activity | undefined
  /** The same session with other parts of its own. */
  with(parts: SessionParts): Session
  /** Runs a tool for a person, without the agent. */
  runTool(call: UserCall, options?: RunToolOptions): Promise<RanTool>
  /** Has the agent come up without a message. False when it has no protocol of its own to be spoken with. */
  startAgent(signal: AbortSignal): Promise<boolean>
  /** Another agent answers from the next message on, and is closed with the session. */
  setAgent(agent: Agent): Promise<void>
  /** Chooses it in the agent itself, and again whenever the agent comes up. The agent comes up for that. */
  setAgentOption(choice: OptionChoice, signal: AbortSignal): Promise<void>
  /** History after a cursor, then what happens, events and notices, without a gap and without a repeat. */
  follow(options?: FollowOptions): AsyncGenerator<FeedItem, void, undefined>
  /** All events as JSON: parts that together are the items of a list. */
  eventItems(): Promise<readonly Uint8Array[]>
  /** The log's bytes, as they are. */
  raw(): AsyncGenerator<Uint8Array, void, undefined>
  transcript(): AsyncGenerator<TranscriptEntry, void, undefined>
  /** Content that was too bulky for the log, by its hash. */
  readBlob(sha256: string, options: { mostBytes: number }): Promise<Uint8Array>
}
