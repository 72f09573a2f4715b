/** What the engine's users may ask of the copies of sessions in Mission Control. Wiring brings it, where one is configured. */
import type { SessionId } from '../format/ids.ts'
import type { Task, TaskWish, WholeTask, Worker } from '../format/task.ts'
import type { Whereabouts } from '../state/relevance.ts'
import type { SessionSummary } from './catalogue/catalogue-row.ts'
import type { Session } from './session.ts'

export type RemoteMode = 'off' | 'export' | 'steer'

export type RemoteStatus = {
  readonly mode: RemoteMode
  readonly state: 'off' | 'connecting' | 'active' | 'error'
  /** Where people see it. */
  readonly url?: string
  readonly error?: string
  /** When the copy was last up to its log, or since when it is behind. */
  readonly at?: Date
  /** It runs on that machine, which was heard of `at`; `error` when it is not heard of any more. */
  readonly machine?: string
}

type RemoteSummary = {
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

/** Where a session of another machine is, as Mission Control last heard of it. */
export type FarPlace = {
  readonly machine: string
  readonly state: string
  /** Its machine was not heard of lately. */
  readonly isStale: boolean
  readonly staleAt: string
  readonly isSteerable: boolean
  /** Whose it is, by the id that Mission Control has for them. */
  readonly person?: string
}

export type FarSummary = SessionSummary & { readonly remote: FarPlace }

/** How old a list of other machines' sessions is. */
export type FarNews = {
  readonly asOf: Date
  /** Why Mission Control could not be asked: this is what was last known. */
  readonly trouble?: string
}

export type FarList = FarNews & {
  readonly sessions: readonly FarSummary[]
  readonly total: number
}

export type FarMeaning = 'id' | 'task' | 'prefix' | 'name' | 'summary'

/** What would go along with a task from a directory. */
export type TaskDraft = {
  readonly wish: Pick<TaskWish, 'repository' | 'patch'>
  /** Those that the patch changes. */
  readonly files: readonly string[]
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

export interface TaskControl {
  draft(cwd: string): Promise<TaskDraft>
  /** Only which repository it is, for a machine that has it. */
  place(cwd: string): Promise<TaskDraft>
  /** For a worker of a pool, or as a session of one of one's own machines. */
  start(wish: TaskWish & { readonly pool?: string; readonly machine?: string }): Promise<Task>
  list(query: { readonly isArchived: boolean }): Promise<readonly Task[]>
  show(id: string): Promise<WholeTask>
  cancel(id: string): Promise<Task>
  archive(id: string, isArchived: boolean): Promise<Task>
  workers(): Promise<readonly Worker[]>
}

const HANDOFF_STEPS = [
  'load-session',
  'validate-repo',
  'check-changes',
  'checkout-branch',
  'create-session',
  'save-session',
] as const
export type HandoffStep = (typeof HANDOFF_STEPS)[number]
export type HandoffProgress = {
  readonly step: HandoffStep
  readonly status: 'in-progress' | 'complete'
}

export type TakenOver = {
  readonly id: SessionId
  readonly from: SessionId
  readonly progress: readonly HandoffProgress[]
  /** What a worker had changed is in the work tree, not committed. */
  readonly hasChanges: boolean
}

export type SyncWish = {
  /** Also sessions of which nothing was said, all or those of a repository: from now on a copy of them is kept. */
  readonly history?: { readonly repository?: string }
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly signal?: AbortSignal
}

/** What came of bringing all copies up to their sessions. */
export type Synced = {
  readonly scanned: number
  readonly unchanged: number
  /** Sessions that Mission Control did not know. */
  readonly created: number
  readonly eventsUploaded: number
  /** Copies that were deleted or made anew before, and were there again as they had been. */
  readonly removedAgain: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
  /** Sessions that wait to be read there for search, SQL and reports, and for which that could not be asked for. */
  readonly backfillQueued: number
  readonly backfillFailed: number
  /** False: stopped before the end. */
  readonly finished: boolean
}

/** In what the copy of a session differs from the session, in words that follow its id. */
export type CopyDifference = {
  readonly id: string
  readonly what: string
  readonly why: string
  readonly canBeSynced: boolean
}

export type CopyReport = {
  readonly url: string
  /** As whom, and by which name of this machine, it knows this home. */
  readonly as?: { readonly name: string; readonly machine: string | null; readonly tenant: string }
  /** Why it could not be asked: what follows is what this machine remembers of it. */
  readonly trouble?: string
  readonly same: number
  /** Of which no copy is kept, by configuration or because their person said so. */
  readonly unwanted: number
  readonly differing: readonly CopyDifference[]
  /** Sessions that wait there to be read for search, SQL and reports. */
  readonly unread: number
}

/** What a program knows of a copy, or wants it to belong to. */
export type RemoteLink = {
  /** The copy that is there already: none is made. */
  readonly existing?: string
  /** The task that the session stands for. */
  readonly task?: string
}

export interface RemoteControl {
  /** A session of another machine goes on as a fresh one of this home, in this directory. */
  takeOver(
    id: SessionId,
    options: { readonly cwd: string; readonly onStep?: (progress: HandoffProgress) => void },
  ): Promise<TakenOver>
  readonly tasks: TaskControl
  /** Of the server. */
  readonly url: string
  status(id: SessionId): Promise<RemoteStatus>
  /** From now on, for this session; returns when its copy is up to its log, or could not be. */
  set(id: SessionId, mode: RemoteMode, link?: RemoteLink): Promise<RemoteStatus>
  /** Brings every copy that is wanted up to its log, those too that were never sent. */
  sync(wish?: SyncWish): Promise<Synced>
  /** Brings the copy of this one up to its log now, as far as that can be. */
  push(id: SessionId): Promise<RemoteStatus>
  /** Sessions, all or those of a repository, that have no copy there and of which nobody said that there be none. */
  withoutCopy(of: { readonly repository?: string }): Promise<number>
  /** Where the history there differs from these sessions, or from all, and why. */
  compare(ids?: readonly SessionId[]): Promise<CopyReport>
  /** The person in this session said no when older ones were to be sent. */
  dismissIn(id: SessionId): Promise<void>
  sessions(): Promise<readonly RemoteSummary[]>
  /** Those of other machines, the nearest first. Answers soon, with what was last known if it must. */
  near(
    here: Whereabouts,
    query: { readonly limit: number; readonly words?: readonly string[] },
  ): Promise<FarList>
  /** Those that a person can mean by a value: by id or task, or else by all that fits. */
  meant(value: string): Promise<
    FarNews & {
      readonly found: readonly { by: FarMeaning; readonly session: FarSummary }[]
      /** Sessions of this home that stand for a task of that id, or of one that begins so. */
      readonly ownTasks: readonly SessionId[]
    }
  >
  /** From now on `open` of the engine gives the handle of this session of another machine. */
  connect(id: SessionId): Promise<Session>
  /** The handle of a session that is connected. */
  connected(id: SessionId): Session | undefined
  /** All that are connected. */
  joined(): readonly Session[]
  /** Signs a browser in as the person of this home, once. */
  link(): Promise<{ readonly link: string; readonly endsAt: Date }>
  /** Says yes or no to a machine that shows this code, as the person of this home. */
  approve(
    userCode: string,
    said: { readonly isApproved: boolean },
  ): Promise<{ readonly machine: string; readonly isApproved: boolean }>
}
