/** A session that is open in this process: what is known of it, who watches it, and what runs in it now. */
import type { Draft } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Lease } from '../../log/lease.ts'
import type { SessionLog } from '../../log/open.ts'
import type { TimeTravel } from '../../project/time-travel.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { Agent, PermissionDecision, PermissionRequest } from '../agent.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { createFeed } from './feed.ts'
import type { Feed } from './feed.ts'
import { emptyKnowledge } from './knowledge.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownContext } from './model-context.ts'
import { sessionDir } from '../places.ts'
import type { Project } from '../home/project.ts'
import type { QueuedMessage } from '../turn/queue.ts'
import { createObserver } from './observe.ts'
import type { Observer } from './observe.ts'
import type { Steering } from '../turn/steering.ts'

export type LiveSession = {
  readonly id: SessionId
  readonly dir: string
  readonly feed: Feed
  readonly observer: Observer
  readonly project: Project
  /** Answers in place of the one that answers in every session. */
  agent: Agent | undefined
  knowledge: Knowledge
  context: KnownContext | undefined
  /** Present while this process may write: the lease and the open log. */
  writer: Writer | undefined
  becoming: Promise<Writer> | undefined
  /** How many actions rely on the right to write now. */
  using: number
  /**
   * What goes first once something happens: session.start of a new session, session.resume of an old one.
   * By itself it makes no log and touches none.
   */
  opening: Opening | undefined
  hasLog: boolean
  hasFolder: boolean
  /** Nothing was written since the last rewind: its redo is still possible and must stay so. */
  isAtCut: boolean
  /** The name that the session was created with. */
  readonly givenName: string | undefined
  /** Something of this life is in the log, so its end is worth recording. */
  wrote: boolean
  /** The hooks of its start have run in this life. */
  isGreeted: boolean
  running: RunningTurn | undefined
  /** Resolves when the turn that runs now, if any, is settled. */
  ended: Promise<void>
  /** Waits for the running turn to end. */
  readonly queue: QueuedMessage[]
  /** The queue waits for a person: somebody cancelled a turn. */
  queueHeld: boolean
  /** Messages for the running turn that its agent has not taken yet. */
  steering: Steering[]
  /** A compaction that runs by itself. */
  compacting: Promise<void> | undefined
  /** The user's files and what was changed in them; opened when first needed. */
  files: Promise<TimeTravel | undefined> | undefined
  /** Another process asked for the lease while it was needed here. */
  asked: boolean
  readonly pending: Map<string, PendingRequest>
  /** Kinds of request that a person allowed until this process ends. Never read from a log. */
  readonly grants: Set<string>
  readonly questions: Map<string, (answer: string | undefined) => void>
  readonly openedAt: Date
}

export type Opening = (state: SessionState) => readonly Draft[]

export type Writer = { readonly lease: Lease; readonly log: SessionLog }

export type RunningTurn = {
  readonly turnId: string
  readonly abort: AbortController
  /** Its agent can be given more. */
  takesSteering: boolean
  /** Resolves when its agent answers, or never will. */
  begun: PromiseWithResolvers<void>
  reason: 'user_initiated' | 'remote_command' | 'user_abort'
}

export type PendingRequest = {
  readonly request: PermissionRequest
  decide(decision: PermissionDecision): void
}

export function createLiveSession(
  engine: EngineContext,
  id: SessionId,
  given: {
    project: Project
    opening: Opening
    knowledge?: Knowledge
    hasLog: boolean
    name?: string
  },
): LiveSession {
  const feed = createFeed((watched) =>
    watched ? session.observer.start() : session.observer.stop(),
  )
  const session: LiveSession = {
    id,
    dir: sessionDir(id),
    feed,
    observer: createObserver(engine.fs, () => session),
    project: given.project,
    agent: undefined,
    knowledge: given.knowledge ?? emptyKnowledge(),
    context: undefined,
    writer: undefined,
    becoming: undefined,
    using: 0,
    opening: given.opening,
    hasLog: given.hasLog,
    hasFolder: given.hasLog,
    isAtCut: false,
    givenName: given.name,
    wrote: false,
    isGreeted: false,
    running: undefined,
    ended: Promise.resolve(),
    queue: [],
    queueHeld: false,
    steering: [],
    compacting: undefined,
    files: undefined,
    asked: false,
    pending: new Map(),
    grants: new Set(),
    questions: new Map(),
    openedAt: engine.clock(),
  }
  return session
}

export const stateOf = (session: LiveSession): SessionState => session.knowledge.folder.state()

export function requireIdle(session: LiveSession, what: string): void {
  if (session.running === undefined) return
  throw new EngineError(
    'busy',
    `Session ${session.id} is answering. Cannot ${what} now; nothing was changed. Cancel the turn or wait for its end.`,
  )
}
