/**
 * Everything that can be done with sessions, behind one door. Surfaces and embedders use this and nothing
 * below it. It holds no rule of its own.
 */
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Agent, PermissionPolicy, Switchboard, UserTools } from './agent.ts'
import { emptySessions, listSessions } from './home/catalogue.ts'
import type { SessionSummary } from './home/catalogue.ts'
import { createChanges } from './home/changes.ts'
import type { Changes, Listener } from './home/changes.ts'
import type { EngineContext, Redact } from './context.ts'
import { EngineError } from './errors.ts'
import type { Hook } from './turn/hooks.ts'
import { latest, latestFor, legacy } from './home/latest.ts'
import type { Operations } from './operations.ts'
import { detectProject } from './home/project.ts'
import type { Project } from './home/project.ts'
import { resolve } from './home/resolve.ts'
import type { Resolution } from './home/resolve.ts'

export type EngineOptions = {
  readonly fs: SessionFs
  /** Who answers. */
  readonly agent?: Agent
  /** What a person may have run without asking the agent. */
  readonly userTools?: UserTools
  /** For agents whose own protocol the programs speak that follow sessions. */
  readonly switchboard?: Switchboard
  readonly policy?: PermissionPolicy
  /** Commands of the user's own configuration; never from a session or a repository. */
  readonly hooks?: readonly Hook[]
  /** Takes secrets out of what is about to be written. */
  readonly redact?: Redact
  /** Gives what takes time to make, when the first session is opened and not before. */
  readonly prepare?: () => Promise<Prepared>
  /** Record what tools change in the project, so that a rewind can take it back. Costs copies of what is changed. */
  readonly trackFiles?: boolean
  /** Whoever follows answers questions of the agent. Without it they are declined at once. */
  readonly answersQuestions?: boolean
  readonly clientName?: string
  readonly version?: string
  readonly durability?: 'synced' | 'debounced'
  readonly clock?: () => Date
  readonly newId?: () => string
}

export type Prepared = {
  readonly agent: Agent
  readonly userTools?: UserTools
  readonly policy?: PermissionPolicy
  readonly hooks?: readonly Hook[]
  readonly redact?: Redact
}

export interface Engine extends Operations {
  readonly fs: SessionFs
  project(cwd: string): Promise<Project>
  list(): Promise<readonly SessionSummary[]>
  latest(): Promise<SessionId | undefined>
  latestFor(project: Project): Promise<SessionId | undefined>
  legacy(): Promise<readonly string[]>
  /** Folders of sessions that have said nothing. */
  empty(): Promise<readonly SessionId[]>
  resolve(value: string): Promise<Resolution>
  /** Tells of every change of a session that this engine makes: for followers, such as an index. */
  subscribe(listener: Listener): Disposable
}

export function createEngine(options: EngineOptions): Engine {
  const { fs } = options
  const changes = createChanges()
  let loading: Promise<Operations> | undefined
  let loaded: Operations | undefined
  const load = (): Promise<Operations> =>
    (loading ??= loadOperations(options, changes).then((it) => (loaded = it)))

  /** A method that is there after the first call. */
  const later = <K extends AsyncMethod>(name: K): Engine[K] =>
    (async (...args: never[]) =>
      ((await load())[name] as (...args: never[]) => unknown)(...args)) as Engine[K]
  const streaming = <K extends StreamMethod>(name: K): Engine[K] =>
    async function* (...args: never[]) {
      yield* ((await load())[name] as (...args: never[]) => AsyncGenerator<never>)(...args)
    } as Engine[K]
  /** Answers about what runs in this process; nothing runs before something was opened. */
  const opened = (): Operations => {
    if (loaded !== undefined) return loaded
    throw new EngineError('not_found', 'No session is open in this process. Nothing was changed.')
  }

  return {
    fs,
    project: detectProject,
    list: () => listSessions(fs),
    latest: () => latest(fs),
    latestFor: (project) => latestFor(fs, project),
    legacy: () => legacy(fs),
    empty: () => emptySessions(fs),
    resolve: (value) => resolve(fs, value),
    subscribe: changes.subscribe,

    create: later('create'),
    resume: later('resume'),
    save: later('save'),
    close: later('close'),
    send: later('send'),
    runTool: later('runTool'),
    reach: later('reach'),
    sendAnywhere: later('sendAnywhere'),
    sendElsewhere: later('sendElsewhere'),
    cancelAnywhere: later('cancelAnywhere'),
    answerAnywhere: later('answerAnywhere'),
    answerQuestionAnywhere: later('answerQuestionAnywhere'),
    askedElsewhere: later('askedElsewhere'),
    elsewhere: later('elsewhere'),
    follow: streaming('follow'),
    setAgent: later('setAgent'),
    setModel: later('setModel'),
    setMode: later('setMode'),
    metadata: later('metadata'),
    state: later('state'),
    events: later('events'),
    raw: streaming('raw'),
    transcript: streaming('transcript'),
    rewindPoints: later('rewindPoints'),
    previewRewind: later('previewRewind'),
    rewind: later('rewind'),
    undo: later('undo'),
    redo: later('redo'),
    blame: later('blame'),
    fork: later('fork'),
    compact: later('compact'),
    rename: later('rename'),
    remove: later('remove'),
    trash: later('trash'),
    archive: later('archive'),
    unarchive: later('unarchive'),
    archived: later('archived'),
    restore: later('restore'),
    prune: later('prune'),
    readPlan: later('readPlan'),
    writePlan: later('writePlan'),
    deletePlan: later('deletePlan'),
    files: later('files'),
    readFile: later('readFile'),
    writeFile: later('writeFile'),
    checkpoints: later('checkpoints'),
    readCheckpoint: later('readCheckpoint'),
    readBlob: later('readBlob'),
    contextSize: later('contextSize'),
    contextParts: later('contextParts'),
    doctor: later('doctor'),
    mend: later('mend'),
    stop: async () => {
      // An engine that could not be prepared has nothing to stop; whoever called it was told.
      await (await loading?.catch(() => undefined))?.stop()
    },

    cancel: (id) => loaded?.cancel(id) ?? false,
    answer: (...args) => opened().answer(...args),
    answerQuestion: (...args) => opened().answerQuestion(...args),
    queue: (id) => opened().queue(id),
    editQueued: (...args) => opened().editQueued(...args),
    moveQueued: (...args) => opened().moveQueued(...args),
    removeQueued: (...args) => opened().removeQueued(...args),
    clearQueue: (id) => opened().clearQueue(id),
    resumeQueue: (id) => opened().resumeQueue(id),
  }
}

type AsyncMethod = {
  [K in keyof Operations]: Operations[K] extends (...args: never[]) => Promise<unknown> ? K : never
}[keyof Operations]
type StreamMethod = {
  [K in keyof Operations]: Operations[K] extends (...args: never[]) => AsyncGenerator<unknown>
    ? K
    : never
}[keyof Operations]

async function loadOperations(options: EngineOptions, changes: Changes): Promise<Operations> {
  const { createOperations } = await import('./operations.ts')
  const {
    agent,
    userTools,
    policy,
    hooks = [],
    redact,
  } = { ...options, ...(await options.prepare?.()) }
  if (agent === undefined) throw new EngineError('internal', 'The engine was given no agent.')
  const context: EngineContext = {
    fs: options.fs,
    agent,
    userTools,
    policy: policy ?? (() => 'ask'),
    hooks,
    redact,
    switchboard: options.switchboard,
    trackFiles: options.trackFiles ?? false,
    answersQuestions: options.answersQuestions ?? false,
    clientName: options.clientName ?? 'reprise',
    version: options.version ?? '0.0.0',
    durability: options.durability ?? 'synced',
    clock: options.clock ?? (() => new Date()),
    newId: options.newId ?? (() => crypto.randomUUID()),
    detectProject,
    changes,
    live: new Map(),
  }
  return createOperations(context)
}
