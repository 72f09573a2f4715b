/**
 * Sessions for a server. Each may have an agent, rules and hooks of its own, and some things can be done with it
 * that only a server of many clients needs. Beneath it is the same engine: a session is open once in a process.
 */
import type { EventId, SessionId } from '../format/ids.ts'
import type { WorkspaceFile } from '../format/workspace-file.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { activity, holdQueue, interrupt, releaseLease } from './turn/activity.ts'
import type { Activity } from './turn/activity.ts'
import { nameByDefault } from './home/auto-name.ts'
import { createChanges } from './home/changes.ts'
import type { Listener } from './home/changes.ts'
import { clearContext } from './time/clear-context.ts'
import { readClientMetadata, updateClientMetadata } from './home/client-metadata.ts'
import type { ClientMetadataChange, ClientMetadataRead } from './home/client-metadata.ts'
import type { EngineContext } from './context.ts'
import { dispatch } from './turn/dispatch.ts'
import type { Dispatched } from './turn/dispatch.ts'
import { EngineError } from './errors.ts'
import type { FeedItem } from './live/feed.ts'
import { summariseForHandoff } from './time/handoff-summary.ts'
import type { LiveSession } from './live/live-session.ts'
import { moveTo } from './live/move.ts'
import { note } from './live/note.ts'
import type { Note } from './live/note.ts'
import { holderOf, open } from './live/open.ts'
import type { Holder, OpenOptions, Opened } from './live/open.ts'
import { createOperations } from './operations.ts'
import type { Operations } from './operations.ts'
import { detectProject } from './home/project.ts'
import type { Project } from './home/project.ts'
import { resume } from './live/resume.ts'
import { sendNow } from './turn/send-now.ts'
import type { Message, SendOptions } from './turn/send.ts'
import { translateError } from './translate-error.ts'
import { workspaceFile } from './home/workspace-record.ts'
import { createFolder, removePath, renamePath, statPath } from './home/workspace-paths.ts'
import type { PathStat } from './home/workspace-paths.ts'

/** What a session may have of its own. Lists may change as long as they stay the same list. */
export type SessionParts = Partial<
  Pick<EngineContext, 'agent' | 'policy' | 'hooks' | 'trackFiles' | 'clientName' | 'compaction'>
>

export type HostOptions = Pick<EngineContext, 'fs' | 'agent' | 'policy' | 'hooks'> &
  Partial<
    Pick<
      EngineContext,
      'redact' | 'trackFiles' | 'clientName' | 'version' | 'durability' | 'userTools'
    >
  >

export interface Host {
  /** The operations, for a session with these parts. */
  with(parts: SessionParts): HostOperations
  isOpen(id: SessionId): boolean
  /** Tells of every change of a session that is made here: for followers, such as an index. */
  subscribe(listener: Listener): Disposable
  stop(): Promise<void>
}

/** What a server can do with a session, besides what everybody can. */
export interface HostOperations extends Operations {
  readonly fs: SessionFs
  open(id: SessionId, options?: OpenOptions): Promise<Opened>
  /** Everything that an open session tells from this moment on. */
  watch(id: SessionId, listener: (item: FeedItem) => void): Disposable
  /** Another process that has the session open for writing. */
  holder(id: SessionId): Promise<Holder | undefined>
  /** Takes a message in and says by what id it is known, without waiting for its turn. */
  dispatch(id: SessionId, message: Message, options?: SendOptions): Promise<Dispatched>
  /** A message that waits joins the running turn. False when none can be joined, or it does not wait any more. */
  sendNow(id: SessionId, messageId: string): Promise<boolean>
  activity(id: SessionId): Activity | undefined
  /** Ends the running turn. What waits is withdrawn, unless it is kept. */
  interrupt(id: SessionId, options: { keepQueue: boolean }): boolean
  holdQueue(id: SessionId, held: boolean): void
  /** Lets another process write, unless something goes on here. */
  releaseLease(id: SessionId): Promise<void>
  note(id: SessionId, remark: Note): Promise<EventId>
  moveTo(id: SessionId, cwd: string): Promise<Project>
  clearContext(id: SessionId, prompt: string): Promise<number>
  summariseForHandoff(id: SessionId): Promise<string>
  /** False when a person has named it. */
  nameByDefault(id: SessionId, name: string): Promise<boolean>
  workspaceFile(id: SessionId): Promise<WorkspaceFile | undefined>
  clientMetadata(id: SessionId): Promise<ClientMetadataRead>
  updateClientMetadata(
    id: SessionId,
    change: ClientMetadataChange,
  ): Promise<Readonly<Record<string, string>>>
  statPath(id: SessionId, path: string): Promise<PathStat>
  createFolder(id: SessionId, path: string): Promise<void>
  removePath(id: SessionId, path: string, options: { recursive: boolean }): Promise<void>
  renamePath(id: SessionId, from: string, to: string): Promise<void>
}

export function createHost(options: HostOptions): Host {
  const context: EngineContext = {
    trackFiles: true,
    answersQuestions: true,
    clientName: 'reprise',
    version: '0.0.0',
    durability: 'synced',
    ...options,
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    detectProject,
    changes: createChanges(),
    live: new Map(),
  }
  return {
    with: (parts) => hostOperations({ ...context, ...parts }),
    isOpen: (id) => context.live.has(id),
    subscribe: context.changes.subscribe,
    stop: () => createOperations(context).stop(),
  }
}

function hostOperations(engine: EngineContext): HostOperations {
  const on = async <T>(
    id: SessionId,
    action: (session: LiveSession) => Promise<T> | T,
  ): Promise<T> => {
    try {
      return await action(engine.live.get(id) ?? (await resume(engine, id)))
    } catch (cause) {
      throw translateError(cause)
    }
  }
  const live = (id: SessionId): LiveSession => {
    const session = engine.live.get(id)
    if (session !== undefined) return session
    throw new EngineError('not_found', `Session ${id} is not open here. Nothing was changed.`)
  }
  return {
    ...createOperations(engine),
    fs: engine.fs,
    open: (id, options) => open(engine, id, options),
    watch: (id, listener) => live(id).feed.subscribe(listener),
    holder: (id) => holderOf(engine, id),
    dispatch: (id, message, options) =>
      on(id, (session) => dispatch(engine, session, message, options)),
    sendNow: (id, messageId) => on(id, (session) => sendNow(engine, session, messageId)),
    activity: (id) => activity(engine.live.get(id)),
    interrupt: (id, options) => interrupt(engine, live(id), options),
    holdQueue: (id, held) => holdQueue(engine, live(id), held),
    releaseLease: (id) => on(id, (session) => releaseLease(engine, session)),
    note: (id, remark) => on(id, (session) => note(engine, session, remark)),
    moveTo: (id, cwd) => on(id, (session) => moveTo(engine, session, cwd)),
    clearContext: (id, prompt) => on(id, (session) => clearContext(engine, session, prompt)),
    summariseForHandoff: (id) => on(id, (session) => summariseForHandoff(engine, session)),
    nameByDefault: (id, name) => nameByDefault(engine, id, name),
    workspaceFile: (id) => workspaceFile(engine, id),
    clientMetadata: (id) => readClientMetadata(engine, id),
    updateClientMetadata: (id, change) =>
      on(id, (session) => updateClientMetadata(engine, session, change)),
    statPath: (id, path) => statPath(engine, id, path),
    createFolder: (id, path) => on(id, (session) => createFolder(engine, session, path)),
    removePath: (id, path, options) => removePath(engine, id, path, options),
    renamePath: (id, from, to) => renamePath(engine, id, from, to),
  }
}
