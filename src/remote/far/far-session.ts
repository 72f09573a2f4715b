/**
 * The handle of a session on another machine. What is read comes from the copy in Mission Control; what is done is done
 * by the session's own machine, which decides; and what can only be done at a machine says so and changes nothing.
 */
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { QueueView } from '../../engine/turn/queue.ts'
import type { Sent } from '../../engine/turn/send.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { asEngineErrors } from '../engine-errors.ts'
import type { OperationName } from '../operations.ts'
import { RemoteError } from '../remote-error.ts'
import type { Server } from '../server.ts'
import { askMachine, wasIdle } from './ask-machine.ts'
import type { Asking } from './ask-machine.ts'
import { openMirror } from './mirror.ts'
import type { Mirror } from './mirror.ts'
import { farTurnEnd } from './turn-end.ts'

/** Who asks may watch and not steer. */
const isRefused = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.cause instanceof RemoteError &&
  error.cause.trouble === 'unauthorised'

const KINDS = { refuse: 'user_message', enqueue: 'queue', steer: 'steer' } as const

/** Who reads does not wait long for a machine: the copy tells most of it. */
const READ_SECONDS = 3
/** Clocks of two machines differ. */
const CLOCKS_MS = 5000

type FarOptions = { readonly onClose?: () => void }

export async function openFar(
  server: Server,
  id: SessionId,
  options: FarOptions = {},
): Promise<Session> {
  const mirror = await asEngineErrors(() => openMirror(server, id))
  return farSession(server, id, mirror, options)
}

function farSession(
  server: Server,
  id: SessionId,
  mirror: Mirror,
  { onClose }: FarOptions,
): Session {
  const { session: copy } = mirror
  const fresh = async (): Promise<Session> => {
    await mirror.refresh()
    return copy
  }
  /** Returns when what it did is here, too. */
  async function ask<T>(asking: Asking): Promise<T> {
    const answer = await askMachine(server, id, asking)
    await mirror.refresh()
    return answer as T
  }
  const operate = <T>(name: OperationName, wish: object = {}): Promise<T> =>
    ask<T>({ kind: 'operation', content: { name, ...wish } })
  /** For who may watch and not steer, and while the machine is away, what the copy tells has to do. */
  const orElse = async <T>(name: OperationName, known: () => Promise<T>): Promise<T> => {
    if (mirror.known()?.isSteerable !== true || !isThere()) return known()
    try {
      const asking = { kind: 'operation', content: { name }, seconds: READ_SECONDS }
      return await ask<T>(asking)
    } catch (error) {
      const isAway = error instanceof EngineError && error.code === 'unreachable'
      if (isAway || isRefused(error)) return known()
      throw error
    }
  }
  /** Its machine was heard of lately. */
  const isThere = (): boolean =>
    Date.parse(mirror.known()?.presence.staleAt ?? '') > Date.now() - CLOCKS_MS

  const handle: Session = {
    id,
    machine: mirror.known()?.machine ?? 'another machine',
    get now() {
      return {
        isRunning: false,
        isAtWorkElsewhere:
          isThere() && /working|input-needed/.test(mirror.known()?.presence.state ?? ''),
        isCompacting: false,
        isQueueHeld: false,
        queued: 0,
        steering: [],
        hasLog: true,
        unwritten: [],
        cwd: '',
      }
    },
    with: () => handle,
    async resume() {
      const state = await (await fresh()).state()
      const holder = await handle.holder()
      return { state, wasActive: false, ...defined({ holder }) }
    },
    save: async () => {},
    async close() {
      onClose?.()
      await mirror[Symbol.asyncDispose]()
    },
    releaseLease: () => atMachine('let go of it'),
    async holder() {
      const { machine, presence } = mirror.known() ?? {}
      if (presence === undefined || presence.isStale) return undefined
      return { pid: 0, label: machine ?? 'another machine', since: presence.heardAt }
    },

    async send(message, { whenBusy = 'refuse' } = {}) {
      const { prompt, messageId = crypto.randomUUID(), displayPrompt, attachments } = message
      const ending = farTurnEnd(mirror, messageId)
      const content = {
        content: prompt,
        messageId,
        whenBusy,
        ...defined({ displayPrompt, attachments }),
      }
      try {
        const sent = await ask<Pick<Sent, 'how' | 'messageId'> | null>({
          kind: KINDS[whenBusy],
          content,
          mayWait: true,
        })
        const how = sent?.how ?? 'started'
        const isWaiting = async () =>
          (await operate<QueueView>('queue')).entries.some((entry) => entry.id === messageId)
        return { messageId, how, ended: ending.wait(how === 'queued' ? isWaiting : undefined) }
      } finally {
        ending[Symbol.dispose]()
      }
    },
    async cancel({ queue } = {}) {
      try {
        await ask({ kind: 'abort', content: defined({ queue }) })
        return true
      } catch (error) {
        if (wasIdle(error)) return false
        throw error
      }
    },
    pending: () => orElse('pending', async () => (await fresh()).pending()),
    continueWork: () => operate('continue'),
    answer: (promptId, { kind: decision, feedback }) =>
      ask({
        kind: 'permission_response',
        content: { promptId, decision, ...defined({ feedback }) },
      }),
    answerQuestion: (promptId, answer) =>
      ask({ kind: 'ask_user_response', content: { promptId, answer: answer ?? null } }),
    permissions: () => operate('permissions'),
    revoke: (number) => operate('revoke', { number }),
    async queue() {
      const nothing = { entries: [], isHeld: false }
      if (mirror.known()?.isSteerable !== true || !isThere()) return nothing
      return operate<QueueView>('queue').catch((error: unknown) => {
        if (isRefused(error)) return nothing
        throw error
      })
    },
    changeQueue: (change) => operate('queue-change', { change }),
    runTool: () => atMachine('run a tool in it'),
    startAgent: async () => false,
    tasks: {
      list: async () => (await fresh()).tasks.list(),
      start: () => atMachine('set a sub-agent to work in it'),
      message: () => atMachine('speak with a sub-agent of it'),
      cancel: () => atMachine('stop a sub-agent of it'),
      promote: () => atMachine('send a sub-agent of it to the background'),
      progress: async () => [],
      ended: async () => {},
    },
    schedules: {
      list: async () => (await fresh()).schedules.list(),
      add: () => atMachine('set a prompt for later in it'),
      stop: () => atMachine('take a scheduled prompt of it back'),
      rearm: () => atMachine('set a prompt for later in it'),
    },

    agentOptions: async () => undefined,
    setAgentOption: () => atMachine('choose the options of its agent'),
    setAgent: () => atMachine('choose its agent'),
    setModel: (choice) => operate('model', choice),
    setMode: (mode) => ask({ kind: 'mode_switch', content: { mode } }),
    guidance: () => operate('guidance'),
    selectAgent: (name) => operate('agent-select', defined({ agent: name })),
    switchGuidance: (change) => operate('guidance-switch', change),
    setSteerable: () => atMachine('say whether it can be steered'),
    moveTo: () => atMachine('move it to another directory'),
    rename: (title) => operate('rename', { title }),
    nameByDefault: async () => false,

    state: async () => (await fresh()).state(),
    async metadata() {
      const known = mirror.known()
      const metadata = await (await fresh()).metadata()
      return { ...metadata, ...defined({ name: known?.name ?? undefined }) }
    },
    workspaceFile: async () => (await fresh()).workspaceFile(),
    follow: (options) => mirror.follow(options),
    events: async (query) => (await fresh()).events(query),
    eventItems: async () => (await fresh()).eventItems(),
    async *raw() {
      yield* (await fresh()).raw()
    },
    async *transcript() {
      yield* (await fresh()).transcript()
    },
    contextSize: () => orElse('context-size', () => copy.contextSize()),
    contextParts: (given) => orElse('context-parts', () => copy.contextParts(given)),
    askAside: (question) => operate('ask-aside', { question }),
    note: (remark) => operate('note', remark),
    recordHandoff: () => atMachine('say where it came from'),

    metrics: async () => (await fresh()).metrics(),
    rewindPoints: async () => (await fresh()).rewindPoints(),
    previewRewind: (eventId) => operate('preview', { eventId }),
    changes: (scope) => operate('changes', { scope }),
    changedFile: (scope, { path, of }) => operate('changed-file', { scope, path, of }),
    restoreFile: ({ eventId, path }) => operate('restore-file', { eventId, path }),
    rewind: (eventId, { mode, waitMs } = {}) =>
      operate('rewind', { eventId, ...defined({ mode, waitMs }) }),
    undo: ({ turns, mode, waitMs } = {}) => operate('undo', defined({ turns, mode, waitMs })),
    redo: ({ waitMs } = {}) => operate('redo', defined({ waitMs })),
    fork: ({ name: title, before } = {}) => operate('fork', defined({ title, before })),
    compact: ({ instructions, waitMs } = {}) =>
      operate('compact', defined({ instructions, waitMs })),
    clearContext: (prompt) => operate('clear-context', { prompt }),
    summariseForHandoff: () => operate('handoff-summary'),

    readPlan: async () => (await operate<string | null>('plan')) ?? undefined,
    writePlan: (text) => operate('plan-set', { text }),
    deletePlan: () => operate('plan-delete'),
    files: () => operate('files'),
    async readFile(path) {
      const { bytes, size } = await operate<{ bytes: string | null; size: number }>('file-read', {
        path,
      })
      if (bytes !== null) return Buffer.from(bytes, 'base64')
      throw new EngineError('invalid', `${path} has ${size} bytes: too many to be read from afar.`)
    },
    writeFile: (path, bytes) =>
      operate('file-write', { path, bytes: Buffer.from(bytes).toString('base64') }),
    statPath: () => atMachine('look at its folder'),
    createFolder: () => atMachine('make a folder in it'),
    removePath: () => atMachine('remove files of it'),
    renamePath: () => atMachine('rename files of it'),
    checkpoints: () => orElse('checkpoints', () => copy.checkpoints()),
    readCheckpoint: (number) => operate('checkpoint', { number }),
    async readBlob(sha256, { mostBytes }) {
      const bytes = await asEngineErrors(() => server.blob(id, sha256))
      if (bytes.length <= mostBytes) return bytes
      throw new EngineError('invalid', `The content has ${bytes.length} bytes: too many to show.`)
    },
    clientMetadata: async () => copy.clientMetadata(),
    updateClientMetadata: () => atMachine('keep notes of programs in it'),
  }
  return handle
}

const atMachine = async (what: string): Promise<never> => {
  throw new EngineError(
    'invalid',
    `This session runs on another machine; from here one cannot ${what}. Nothing was changed.`,
  )
}
