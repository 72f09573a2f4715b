/**
 * The sessions of one home. `open` gives the handle of a session, through which everything is done with it; what is
 * here is about the home itself. It holds no rule of its own.
 */
import type { Actor } from '../format/blobs.ts'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Agent, PermissionPolicy, Switchboard, UserTools } from './agent.ts'
import type {
  Agents,
  BeforeEffect,
  EngineContext,
  Redact,
  SandboxOptions,
} from './engine-context.ts'
import type { RedactStream } from '../lib/redact/redact-stream.ts'
import { EngineError } from './errors.ts'
import type { HomeOperations } from './home-operations.ts'
import {
  listSessions,
  nearestSessions,
  sessionSummaries,
  sessionsWithPrefix,
  unlistedSessions,
  type Unlisted,
} from './catalogue/catalogue.ts'
import { openSessions } from './catalogue/dirty-markers.ts'
import type { RunningSessions } from './transport/running-sessions.ts'
import type { SessionSummary } from './catalogue/catalogue-row.ts'
import type { Nearest, NearQuery } from './catalogue/catalogue-select.ts'
import { createChanges, type Changes, type Eraser, type Listener } from './sessions/home-changes.ts'
import { latest, latestFor, legacy } from './sessions/latest.ts'
import { detectProject, type Project } from './sessions/project.ts'
import { readOneSummary } from './catalogue/read-summaries.ts'
import { resolve, type Resolution } from './sessions/resolve.ts'
import type { RemoteControl } from './remote-control.ts'
import type { Session } from './session.ts'
import type { Whereabouts } from '../state/relevance.ts'
import { withParts, type SessionParts } from './session-parts.ts'
import type { Hook } from './hook.ts'
import type { ToolServerState } from './tool-server.ts'
import type { Denial, PermissionRules } from './turn/permission-rules.ts'

export type EngineOptions = Prepared & {
  readonly fs: SessionFs
  /** Where a new session works when nothing else is said. */
  readonly cwd: string
  readonly actor?: Actor
  /** Routes raw ACP between an editor and the wrapped agent; nothing of it becomes an event. */
  readonly switchboard?: Switchboard
  /** Gives what takes time to make, when the first session is opened and not before. */
  readonly prepare?: () => Promise<Prepared>
  /** Record what tools change in the project, so that a rewind can take it back. Costs copies of what is changed. */
  readonly trackFiles?: boolean
  /** Waited for before anything that was allowed is done. */
  readonly beforeEffect?: BeforeEffect
  /** People who follow answer questions of the agent. Without it they are declined at once. */
  readonly answersQuestions?: boolean
  /** A few stay open that nobody follows and in which nothing goes on. Default: all, until they are closed. */
  readonly closesUnused?: boolean
  readonly clientName?: string
  readonly version?: string
  readonly durability?: 'synced' | 'debounced'
  readonly clock?: () => Date
  readonly newId?: () => string
}

export type Prepared = {
  /** Who answers: one for all sessions, or one that is chosen for each. */
  readonly agent?: Agent
  readonly agents?: Agents
  /** What a person may have run without asking the agent. */
  readonly userTools?: UserTools
  readonly policy?: PermissionPolicy
  readonly denied?: Denial
  readonly rules?: PermissionRules
  /** Why no turn may start. */
  readonly broken?: string
  readonly hookFiles?: readonly string[]
  /** Has the tool servers of the configuration come up, and tells how they are. */
  readonly toolServers?: () => Promise<readonly ToolServerState[]>
  readonly sandbox?: SandboxOptions
  /** Commands of the user's own configuration; never from a session or a repository. */
  readonly hooks?: readonly Hook[]
  /** What undo took back goes for good after so many days. Without it, it stays until it is discarded. */
  readonly keepRewoundDays?: number
  /** Why no session is forked here, in words. Without it, they are. */
  readonly noForks?: string
  /** Takes secrets out of what is about to be written. */
  readonly redact?: Redact
  readonly redactStream?: () => RedactStream
  /** Takes them out of what is only told, too: nobody who watches sees them. */
  readonly redactsPieces?: boolean
  /** How often an agent is asked to go on in autopilot, in one turn. */
  readonly mostContinues?: number
  /** Whether a content of the project may be kept, for undo. Default: every one. */
  readonly mayCopy?: (bytes: Uint8Array) => boolean
}

export interface Engine extends HomeOperations {
  readonly fs: SessionFs
  /** Touches nothing by itself: the first operation that needs the log opens it. */
  open(id: SessionId, parts?: SessionParts): Promise<Session>
  isOpen(id: SessionId): boolean

  project(cwd: string): Promise<Project>
  /** All sessions, newest first. What shows some of them asks for these: a home may hold very many. */
  list(): Promise<readonly SessionSummary[]>
  /** The nearest to a place, and how many there are. */
  nearest(here: Whereabouts, query: NearQuery): Promise<Nearest>
  /** What a list would tell of one session, read from itself. */
  summary(id: SessionId): Promise<SessionSummary | undefined>
  /** Those of these that are there, newest first. */
  summaries(ids: readonly SessionId[]): Promise<readonly SessionSummary[]>
  /** Those whose id begins so, newest first. */
  withPrefix(prefix: string): Promise<readonly SessionSummary[]>
  /** The one that stands for a task of Mission Control. */
  ofTask(taskId: string): Promise<SessionId | undefined>
  latest(): Promise<SessionId | undefined>
  latestFor(project: Project): Promise<SessionId | undefined>
  legacy(): Promise<readonly string[]>
  /** What stands where sessions do and is in no list: folders that have said nothing, and those that cannot be used. */
  unlisted(): Promise<Unlisted>
  resolve(value: string): Promise<Resolution>
  /** Those of these that a process has open for writing; sessions of this engine are not looked at apart. */
  inUse(ids: readonly SessionId[]): Promise<readonly SessionId[]>
  /** The sessions in which something goes on now, in whatever process. */
  running(): Promise<RunningSessions>
  /** Tells of every change of a session that this engine makes: for followers, such as an index. */
  subscribe(listener: Listener): Disposable
  /** The copies of sessions in Mission Control; undefined where none is configured. */
  remote?(): Promise<RemoteControl | undefined>
  /** A text that is kept beside the logs, as its words would stand in one. */
  asLogged(text: string): Promise<string>
  /** For followers that hold words: they are asked, and waited for, when a session is to be forgotten. */
  onErase(eraser: Eraser): Disposable
}

export function createEngine(options: EngineOptions): Engine {
  const { fs } = options
  const changes = createChanges()
  const live: EngineContext['live'] = new Map()
  type Loaded = { readonly context: EngineContext; readonly home: HomeOperations }
  let loading: Promise<Loaded> | undefined
  const load = (): Promise<Loaded> => (loading ??= loadOperations(options, changes, live))
  const home = async (): Promise<HomeOperations> => (await load()).home
  let loadingBare: Promise<Loaded> | undefined
  /** For what needs nothing of the configuration: where that cannot be read, it is done without. */
  const bareHome = (): Promise<HomeOperations> =>
    load()
      .catch(
        () => (loadingBare ??= loadOperations({ ...options, prepare: noParts }, changes, live)),
      )
      .then((loaded) => loaded.home)
  let looking: Promise<() => Promise<RunningSessions>> | undefined
  let asking: Promise<typeof import('./sessions/in-use.ts')> | undefined

  return {
    fs,
    async open(id, parts = {}) {
      const [{ context }, { sessionHandle }] = await Promise.all([load(), import('./handle.ts')])
      return sessionHandle(withParts(context, parts), id)
    },
    isOpen: (id) => live.has(id),
    project: detectProject,
    list: () => listSessions(fs),
    nearest: (here, query) => nearestSessions(fs, here, query),
    summary: (id) => readOneSummary(fs, id),
    summaries: (ids) => sessionSummaries(fs, ids),
    withPrefix: (prefix) => sessionsWithPrefix(fs, prefix),
    ofTask: async (taskId) =>
      (await import('./sessions/session-for-task.ts')).sessionOfTask(fs, taskId),
    latest: () => latest(fs),
    latestFor: (project) => latestFor(fs, project),
    legacy: () => legacy(fs),
    unlisted: () => unlistedSessions(fs),
    resolve: (value) => resolve(fs, value),
    async inUse(ids) {
      asking ??= import('./sessions/in-use.ts')
      return (await asking).sessionsInUse(fs, ids)
    },
    async running() {
      if ((await openSessions(fs)).size === 0) return new Map()
      looking ??= import('./transport/running-sessions.ts').then((file) =>
        file.createRunningSessions(fs),
      )
      return (await looking)()
    },
    subscribe: changes.subscribe,
    onErase: changes.onErase,
    asLogged: async (text) => {
      const [{ context }, file] = await Promise.all([load(), import('./live/as-logged.ts')])
      return file.asLogged(context, text)
    },

    create: async (given, parts) => (await home()).create(given, parts),
    introduceAgent: async (cwd) => (await home()).introduceAgent(cwd),
    adopt: async (id, log, given) => (await home()).adopt(id, log, given),
    blame: async (query) => (await home()).blame(query),
    remove: async (ids, given) => (await bareHome()).remove(ids, given),
    trash: async () => (await bareHome()).trash(),
    copies: async () => (await bareHome()).copies(),
    restore: async (word) => (await bareHome()).restore(word),
    archive: async (id) => (await home()).archive(id),
    unarchive: async (id) => (await home()).unarchive(id),
    archived: async () => (await bareHome()).archived(),
    prune: async (given) => (await home()).prune(given),
    forget: async (query, given) => (await home()).forget(query, given),
    discard: async (id, given) => (await home()).discard(id, given),
    leftovers: async (given) => (await bareHome()).leftovers(given),
    leftOpen: async () => (await home()).leftOpen(),
    toldLeftOpen: async () => (await home()).toldLeftOpen(),
    import: async (given) => (await home()).import(given),
    importFolder: async (given) => (await home()).importFolder(given),
    doctor: async (id, given) => (await bareHome()).doctor(id, given),
    homeFaults: async () => (await bareHome()).homeFaults(),
    mend: async (id) => (await home()).mend(id),
    toolServers: async () => (await home()).toolServers(),
    stop: async () => {
      // An engine that could not be prepared has nothing to stop; its caller was told.
      const loaded = await loading?.catch(() => undefined)
      await loaded?.home.stop()
    },
  }
}

const noParts = async (): Promise<Prepared> => ({})

async function loadOperations(
  options: EngineOptions,
  changes: Changes,
  live: EngineContext['live'],
): Promise<{ readonly context: EngineContext; readonly home: HomeOperations }> {
  const [{ homeOperations }, { closeUnused }, { serveRequest }, { startNext }, prepared] =
    await Promise.all([
      import('./home-operations.ts'),
      import('./live/close-unused.ts'),
      import('./transport/serve-request.ts'),
      import('./turn/send.ts'),
      options.prepare?.(),
    ])
  const given = { ...options, ...prepared }
  const context: EngineContext = {
    fs: options.fs,
    agents: agentsOf(given),
    actor: options.actor ?? { who: '', surface: options.clientName ?? 'library', machine: '' },
    cwd: options.cwd,
    userTools: given.userTools,
    policy: given.policy ?? (() => 'ask'),
    denied: given.denied,
    rules: given.rules,
    broken: given.broken,
    hookFiles: given.hookFiles,
    toolServers: given.toolServers ?? (async () => []),
    sandbox: given.sandbox,
    hooks: given.hooks ?? [],
    keepRewoundDays: given.keepRewoundDays,
    noForks: given.noForks,
    redact: given.redact,
    redactStream: given.redactStream,
    redactsPieces: given.redactsPieces,
    mostContinues: given.mostContinues,
    mayCopy: given.mayCopy,
    switchboard: options.switchboard,
    trackFiles: options.trackFiles ?? false,
    beforeEffect: options.beforeEffect,
    answersQuestions: options.answersQuestions ?? false,
    clientName: options.clientName ?? 'reprise',
    version: options.version ?? '0.0.0',
    durability: options.durability ?? 'synced',
    clock: options.clock ?? (() => new Date()),
    newId: options.newId ?? (() => crypto.randomUUID()),
    detectProject,
    changes,
    live,
    followed: new Map(),
    opening: new Map(),
    closing: new Map(),
    closeUnused: () => options.closesUnused === true && closeUnused(context),
    serveRequest: (session, request, own = context) => serveRequest(own, session, request),
    startNext: (session, own = context) => startNext(own, session),
  }
  return { context, home: homeOperations(context) }
}

function agentsOf({ agent, agents }: Prepared): Agents {
  if (agents !== undefined) return agents
  return {
    async choose() {
      if (agent !== undefined) return agent
      throw new EngineError('internal', 'The engine was given no agent.')
    },
    close: async () => agent?.close?.(),
  }
}
