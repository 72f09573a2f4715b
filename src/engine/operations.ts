/**
 * Everything that needs a session's log: each method is the operation of the file with its name. Loaded with the
 * first call, so that whoever only lists sessions does not pay for it.
 */
import type { Agent, PermissionDecision, UserCall } from './agent.ts'
import type { EventId, SessionId } from '../format/ids.ts'
import type { RewindPoint } from '../state/turns.ts'
import type { SessionState } from '../state/session-state.ts'
import { answer } from './turn/answer.ts'
import {
  answerAnywhere,
  answerQuestionAnywhere,
  cancelAnywhere,
  sendAnywhere,
  sendElsewhere,
} from './neighbours/anywhere.ts'
import type { Elsewhere, HandedOver } from './neighbours/anywhere.ts'
import { cancel } from './turn/cancel.ts'
import { close, closeAll } from './live/close.ts'
import { compact } from './time/compact.ts'
import type { CompactOptions, Compacted } from './time/compact.ts'
import type { EngineContext } from './context.ts'
import { contextParts } from './time/context-parts.ts'
import type { WindowParts } from './time/context-parts.ts'
import { contextSize } from './time/context-size.ts'
import type { ContextSize } from './time/context-size.ts'
import { create, save } from './live/create.ts'
import type { CreateOptions } from './live/create.ts'
import { doctor, mend } from './home/doctor.ts'
import type { Diagnosis, Mended } from './home/doctor.ts'
import { askedElsewhere, createElsewhere } from './neighbours/elsewhere.ts'
import type { Asked, WorkElsewhere } from './neighbours/elsewhere.ts'
import { readEvents, rawLog } from './live/events.ts'
import type { EventPage, EventQuery } from './live/events.ts'
import { EngineError } from './errors.ts'
import type { FeedItem } from './live/feed.ts'
import { follow } from './live/follow.ts'
import type { FollowOptions } from './live/follow.ts'
import { fork } from './time/fork.ts'
import type { ForkOptions, Forked } from './time/fork.ts'
import { stateOf } from './live/live-session.ts'
import type { LiveSession } from './live/live-session.ts'
import { metadata } from './home/metadata.ts'
import type { SessionMetadata } from './home/metadata.ts'
import { prune } from './home/prune.ts'
import type { PruneOptions, Pruned } from './home/prune.ts'
import { remove, restore } from './home/remove.ts'
import type { Removal } from './home/remove.ts'
import { rename } from './home/rename.ts'
import { resume } from './live/resume.ts'
import type { ResumeOptions } from './live/resume.ts'
import { points, preview, redo, rewind, undo } from './time/rewind.ts'
import type { RedoResult, RewindOptions, RewindPreview, RewindResult } from './time/rewind.ts'
import { blame } from './time/blame.ts'
import type { BlameQuery, Blamed } from './time/blame.ts'
import { answerQuestion } from './turn/questions.ts'
import { clearQueue, editQueued, moveQueued, queued, removeQueued } from './turn/queue.ts'
import type { QueueEntry } from './turn/queue.ts'
import { reach } from './turn/reach.ts'
import { runTool } from './turn/run-tool.ts'
import type { RanTool, RunToolOptions } from './turn/run-tool.ts'
import { drain, send } from './turn/send.ts'
import type { Message, SendOptions, TurnOutcome } from './turn/send.ts'
import { setAgent, setMode, setModel } from './live/settings.ts'
import type { Mode, ModelChoice } from './live/settings.ts'
import { transcript } from './live/transcript.ts'
import { listTrash } from './home/trash.ts'
import type { TrashedSession } from './home/trash.ts'
import { translateError } from './translate-error.ts'
import type { TranscriptEntry } from '../state/transcript.ts'
import { archive, archived, unarchive } from './home/archive.ts'
import * as artifacts from './home/artifacts.ts'
import type { WriterOptions } from './live/writer.ts'

/** What needs a session's log. */
export interface Operations {
  create(options?: CreateOptions): Promise<SessionId>
  resume(id: SessionId, options?: ResumeOptions): Promise<SessionState>
  save(id: SessionId): Promise<void>
  close(id: SessionId): Promise<void>
  /** Closes every session of this process. */
  stop(): Promise<void>

  send(id: SessionId, message: Message, options?: SendOptions): Promise<TurnOutcome>
  /** Runs a tool for a person, without the agent. */
  runTool(id: SessionId, call: UserCall, options?: RunToolOptions): Promise<RanTool>
  /** Has the agent come up without a message. False when it has no protocol of its own to be spoken with. */
  reach(id: SessionId, signal: AbortSignal): Promise<boolean>
  /** False when nothing was running. */
  cancel(id: SessionId): boolean
  answer(id: SessionId, requestId: string, decision: PermissionDecision): void
  /** Undefined declines to answer. */
  answerQuestion(id: SessionId, requestId: string, answer: string | undefined): void
  /** The same, wherever the turn runs: another process that is at work is asked, and its word waited for. */
  sendAnywhere(
    id: SessionId,
    message: Message,
    options?: SendOptions,
  ): Promise<TurnOutcome | HandedOver>
  /** Only to a turn of another process. Undefined when there is none: nothing was sent. */
  sendElsewhere(
    id: SessionId,
    message: Message,
    whenBusy: 'enqueue' | 'steer',
  ): Promise<Elsewhere | undefined>
  cancelAnywhere(id: SessionId): Promise<boolean>
  answerAnywhere(
    id: SessionId,
    requestId: string,
    decision: Omit<PermissionDecision, 'by'>,
  ): Promise<void>
  answerQuestionAnywhere(
    id: SessionId,
    requestId: string,
    answer: string | undefined,
  ): Promise<void>
  /** What waits for a person in a turn of another process. */
  askedElsewhere(id: SessionId): Promise<Asked>
  /** The sessions in which something goes on now, in whatever process. */
  elsewhere(): Promise<WorkElsewhere>
  queue(id: SessionId): readonly QueueEntry[]
  editQueued(id: SessionId, messageId: string, prompt: string): void
  moveQueued(id: SessionId, messageId: string, place: number): void
  removeQueued(id: SessionId, messageId: string): void
  clearQueue(id: SessionId): number
  /** After a cancelled turn the queue waits; this lets it go on. */
  resumeQueue(id: SessionId): void
  follow(id: SessionId, options?: FollowOptions): AsyncGenerator<FeedItem, void, undefined>
  /** Another agent answers from the next message on, and is closed with the session. */
  setAgent(id: SessionId, agent: Agent): Promise<void>
  setModel(id: SessionId, choice: ModelChoice): Promise<void>
  setMode(id: SessionId, mode: Mode): Promise<void>

  metadata(id: SessionId): Promise<SessionMetadata>
  state(id: SessionId): Promise<SessionState>
  events(id: SessionId, query?: EventQuery): Promise<EventPage>
  /** The log's bytes, as they are. */
  raw(id: SessionId): AsyncGenerator<Uint8Array, void, undefined>
  transcript(id: SessionId): AsyncGenerator<TranscriptEntry, void, undefined>

  rewindPoints(id: SessionId): Promise<readonly RewindPoint[]>
  previewRewind(id: SessionId, eventId: EventId): Promise<RewindPreview>
  rewind(id: SessionId, eventId: EventId, options?: RewindOptions): Promise<RewindResult>
  undo(id: SessionId, options?: RewindOptions & { turns?: number }): Promise<RewindResult>
  redo(id: SessionId, options?: WriterOptions): Promise<RedoResult>
  /** Which turn last wrote a line of the project, from what was recorded. */
  blame(query: BlameQuery): Promise<Blamed>
  fork(id: SessionId, options?: ForkOptions): Promise<Forked>
  compact(id: SessionId, options?: CompactOptions): Promise<Compacted>

  rename(id: SessionId, name: string): Promise<string>
  remove(ids: readonly SessionId[], options?: { now?: boolean }): Promise<readonly Removal[]>
  trash(): Promise<readonly TrashedSession[]>
  /** Keeps it out of sight; it is closed and stays as it is. */
  archive(id: SessionId): Promise<void>
  unarchive(id: SessionId): Promise<void>
  archived(): Promise<ReadonlySet<SessionId>>
  restore(idOrPrefix: string): Promise<SessionId>
  prune(options: PruneOptions): Promise<Pruned>

  readPlan(id: SessionId): Promise<string | undefined>
  writePlan(id: SessionId, text: string): Promise<void>
  deletePlan(id: SessionId): Promise<void>
  files(id: SessionId): Promise<readonly artifacts.WorkspaceEntry[]>
  readFile(id: SessionId, path: string): Promise<Uint8Array>
  writeFile(id: SessionId, path: string, bytes: Uint8Array): Promise<void>
  checkpoints(id: SessionId): Promise<readonly artifacts.Checkpoint[]>
  readCheckpoint(id: SessionId, number: number): Promise<string>
  /** Content that was too bulky for the log, by its hash. */
  readBlob(id: SessionId, sha256: string, options: { mostBytes: number }): Promise<Uint8Array>
  contextSize(id: SessionId): Promise<ContextSize>
  contextParts(id: SessionId): Promise<WindowParts>

  doctor(id: SessionId): Promise<Diagnosis>
  mend(id: SessionId): Promise<Mended>
}

export function createOperations(engine: EngineContext): Operations {
  /** Opens a session when it is not open yet: every operation may be the first. */
  const on = <T>(id: SessionId, action: (session: LiveSession) => Promise<T> | T): Promise<T> =>
    inOurWords(async () => action(engine.live.get(id) ?? (await resume(engine, id))))
  /** The same for reading: sees what other processes wrote meanwhile. */
  const fresh = <T>(id: SessionId, action: (session: LiveSession) => Promise<T> | T): Promise<T> =>
    inOurWords(async () => action(await resume(engine, id)))

  /** With the agent of the session, where it has one of its own. */
  const own = ({ agent = engine.agent }: LiveSession): EngineContext => ({ ...engine, agent })

  const live = (id: SessionId): LiveSession => {
    const session = engine.live.get(id)
    if (session !== undefined) return session
    throw new EngineError(
      'not_found',
      `Session ${id} is not open in this process. Nothing was changed.`,
    )
  }

  return {
    create: async (given = {}) => (await create(engine, given)).id,
    resume: async (id, given) => stateOf(await resume(engine, id, given)),
    save: (id) => on(id, (session) => save(engine, session)),
    close: (id) => close(engine, id),
    stop: () => closeAll(engine),

    send: (id, message, given) => on(id, (session) => send(own(session), session, message, given)),
    runTool: (id, call, given) => on(id, (session) => runTool(own(session), session, call, given)),
    reach: (id, signal) => on(id, (session) => reach(own(session), session, signal)),
    cancel: (id) => {
      const session = engine.live.get(id)
      return session !== undefined && cancel(session)
    },
    answer: (id, requestId, decision) => answer(live(id), requestId, decision),
    answerQuestion: (id, requestId, given) => answerQuestion(live(id), requestId, given),
    sendAnywhere: (id, message, given) =>
      on(id, (session) => sendAnywhere(own(session), session, message, given)),
    sendElsewhere: (id, message, whenBusy) =>
      on(id, (session) => sendElsewhere(engine, session, message, whenBusy)),
    cancelAnywhere: (id) => on(id, (session) => cancelAnywhere(engine, session)),
    answerAnywhere: (id, requestId, decision) =>
      on(id, (session) => answerAnywhere(engine, session, requestId, decision)),
    answerQuestionAnywhere: (id, requestId, given) =>
      on(id, (session) => answerQuestionAnywhere(engine, session, requestId, given)),
    askedElsewhere: (id) => fresh(id, (session) => askedElsewhere(engine, session)),
    elsewhere: createElsewhere(engine.fs),
    queue: (id) => queued(live(id)),
    editQueued: (id, messageId, prompt) => editQueued(live(id), messageId, prompt),
    moveQueued: (id, messageId, place) => moveQueued(live(id), messageId, place),
    removeQueued: (id, messageId) => removeQueued(live(id), messageId),
    clearQueue: (id) => clearQueue(live(id)),
    resumeQueue: (id) => {
      const session = live(id)
      session.queueHeld = false
      drain(own(session), session)
    },
    async *follow(id, given) {
      yield* follow(engine, await on(id, (session) => session), given)
    },
    setAgent: (id, agent) => on(id, (session) => setAgent(engine, session, agent)),
    setModel: (id, choice) => on(id, (session) => setModel(engine, session, choice)),
    setMode: (id, mode) => on(id, (session) => setMode(engine, session, mode)),

    metadata: (id) => metadata(engine, id),
    state: (id) => fresh(id, stateOf),
    events: (id, query) => readEvents(engine, id, query),
    raw: (id) => rawLog(engine, id),
    transcript: (id) => transcript(engine, id),

    rewindPoints: (id) => fresh(id, points),
    previewRewind: (id, eventId) => fresh(id, (session) => preview(engine, session, eventId)),
    // The right to write brings what others wrote along.
    rewind: (id, eventId, given) => on(id, (session) => rewind(engine, session, eventId, given)),
    undo: (id, given) => fresh(id, (session) => undo(engine, session, given)),
    blame: (query) => blame(engine, query),
    redo: (id, given) => on(id, (session) => redo(engine, session, given)),
    fork: (id, given) => fresh(id, (session) => fork(engine, session, given)),
    compact: (id, given) => fresh(id, (session) => compact(own(session), session, given)),

    rename: (id, name) => rename(engine, id, name),
    remove: (ids, given) => remove(engine, ids, given),
    trash: () => listTrash(engine),
    archive: (id) => archive(engine, id),
    unarchive: (id) => unarchive(engine, id),
    archived: () => archived(engine),
    restore: (idOrPrefix) => restore(engine, idOrPrefix),
    prune: (given) => prune(engine, given),

    readPlan: (id) => artifacts.readPlan(engine, id),
    writePlan: (id, text) => fresh(id, (session) => artifacts.writePlan(engine, session, text)),
    deletePlan: (id) => fresh(id, (session) => artifacts.deletePlan(engine, session)),
    files: (id) => artifacts.files(engine, id),
    readFile: (id, path) => artifacts.readFile(engine, id, path),
    writeFile: (id, path, bytes) =>
      fresh(id, (session) => artifacts.writeFile(engine, session, path, bytes)),
    checkpoints: (id) => artifacts.checkpoints(engine, id),
    readCheckpoint: (id, number) => artifacts.readCheckpoint(engine, id, number),
    readBlob: (id, sha256, given) =>
      inOurWords(() => artifacts.readBlob(engine, id, sha256, given)),
    contextParts: (id) => fresh(id, (session) => contextParts(own(session), session)),
    contextSize: (id) => on(id, (session) => contextSize(own(session), session)),

    doctor: (id) => doctor(engine, id),
    mend: (id) => mend(engine, id),
  }
}

async function inOurWords<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    throw translateError(cause)
  }
}
