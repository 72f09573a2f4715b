/**
 * The handle of a session that is reached from this machine: here, or next door. Each method is the operation of the
 * file with its name, on the session that it opens when it is the first to need it.
 */
import { metricsOf, usageOf } from './live/metrics.ts'
import type { SessionId } from '../format/ids.ts'
import * as conduct from './conduct.ts'
import type { EngineContext } from './engine-context.ts'
import * as artifacts from './home/artifacts.ts'
import { nameByDefault } from './home/auto-name.ts'
import { readClientMetadata, updateClientMetadata } from './home/client-metadata.ts'
import { metadata } from './home/metadata.ts'
import { rename } from './home/rename.ts'
import { createFolder, removePath, renamePath, statPath } from './home/workspace-paths.ts'
import { workspaceFile } from './home/workspace-record.ts'
import { close } from './live/close.ts'
import { save } from './live/create.ts'
import { eventItems, rawLog, readEvents } from './live/events.ts'
import { follow } from './live/follow.ts'
import { requireIdle } from './live/live-session.ts'
import type { LiveSession } from './live/live-session.ts'
import { moveTo } from './live/move.ts'
import { recordHandoff } from './live/hand-over.ts'
import { note } from './live/note.ts'
import { holderOf, open } from './live/open.ts'
import { guidance, selectAgent, switchGuidance } from './live/guidance.ts'
import { resume } from './live/resume.ts'
import { setAgent, setSteerable } from './live/session-settings.ts'
import { transcript } from './live/transcript.ts'
import { stateWithUnwritten } from './live/unwritten.ts'
import { yieldWriter } from './live/writer.ts'
import { pendingIn } from './neighbours/pending.ts'
import { revoke, standing } from './permission/standing.ts'
import type { Session } from './session.ts'
import { withParts } from './session-parts.ts'
import { askAside } from './time/ask-aside.ts'
import { changedFile, changes } from './time/file-changes.ts'
import { clearContext } from './time/clear-context.ts'
import { compact } from './time/compact.ts'
import { contextAt } from './time/context-at.ts'
import { contextItem } from './time/context-item.ts'
import { contextParts } from './time/context-parts.ts'
import { contextSize } from './time/context-size.ts'
import { editContext } from './time/edit-context.ts'
import { fork } from './time/fork.ts'
import { summariseForHandoff } from './time/handoff-summary.ts'
import { rewoundBranches } from './time/rewound-branches.ts'
import { restoreFile } from './time/restore-file.ts'
import { points, preview, redo, rewind, undo } from './time/rewind.ts'
import { translateError } from './translate-error.ts'
import { activity } from './turn/activity.ts'
import { agentOptions, setAgentOption } from './turn/agent-options.ts'
import { continueWork } from './turn/continue.ts'
import { recordCanvas, removeCanvas } from './turn/canvases.ts'
import * as schedules from './turn/schedules.ts'
import * as tasks from './turn/subagent-tasks.ts'
import { startAgent } from './turn/start-agent.ts'

export function sessionHandle(engine: EngineContext, id: SessionId): Session {
  type Act<T> = (session: LiveSession) => Promise<T> | T
  /** Opens the session when it is not open yet: every operation may be the first. */
  const on = <T>(action: Act<T>): Promise<T> =>
    translated(async () => {
      const live = engine.closing.has(id) ? undefined : engine.live.get(id)
      return using(live ?? (await resume(engine, id)), action)
    })
  /** The same for reading: sees what other processes wrote meanwhile. */
  const fresh = <T>(action: Act<T>): Promise<T> =>
    translated(async () => using(await resume(engine, id), action))

  return {
    id,
    get now() {
      const session = engine.live.get(id)
      return session && activity(session)
    },
    with: (parts) => sessionHandle(withParts(engine, parts), id),
    resume: (given) => open(engine, id, given),
    save: () => on((session) => save(engine, session)),
    close: (given) => close(engine, id, given),
    releaseLease: () =>
      on((session) => {
        requireIdle(session, 'let go of it')
        return yieldWriter(engine, session)
      }),
    holder: () => holderOf(engine, id),

    send: (message, given) => on((session) => conduct.send(engine, session, message, given)),
    cancel: (given) => on((session) => conduct.cancel(engine, session, given)),
    pending: () => fresh((session) => pendingIn(engine, session)),
    continueWork: () => fresh((session) => continueWork(engine, session)),
    answer: (requestId, decision) =>
      on((session) => conduct.answer(engine, session, requestId, decision)),
    permissions: () => on((session) => standing(engine, session)),
    revoke: (number) => on((session) => revoke(session, number)),
    answerQuestion: (requestId, given) =>
      on((session) => conduct.answerQuestion(engine, session, requestId, given)),
    queue: () => on((session) => conduct.queue(engine, session)),
    changeQueue: (change) => on((session) => conduct.changeQueue(engine, session, change)),
    runTool: (call, given) => on((session) => conduct.runTool(engine, session, call, given)),
    startAgent: (signal) => on((session) => startAgent(engine, session, signal)),
    tasks: {
      list: () => fresh((session) => tasks.listTasks(engine, session)),
      start: (request) => on((session) => tasks.startTask(engine, session, request)),
      message: (task, text) => on((session) => tasks.messageTask(engine, session, task, text)),
      cancel: (task) => on((session) => tasks.cancelTask(engine, session, task)),
      promote: (task) => on((session) => tasks.promoteTask(engine, session, task)),
      progress: (task) => on((session) => tasks.taskProgress(engine, session, task)),
      ended: () => on(tasks.tasksEnded),
    },
    schedules: {
      list: () => fresh(schedules.listSchedules),
      add: (wish) => on((session) => schedules.addSchedule(engine, session, wish)),
      stop: (number) => on((session) => schedules.stopSchedule(engine, session, number)),
      rearm: (number, at) => on((session) => schedules.rearmSchedule(engine, session, number, at)),
    },
    canvases: {
      record: (canvas) => on((session) => recordCanvas(engine, session, canvas)),
      remove: (canvas) => on((session) => removeCanvas(engine, session, canvas)),
    },

    agentOptions: () => on((session) => agentOptions(engine, session)),
    setAgentOption: (choice, signal) =>
      on((session) => setAgentOption(engine, session, choice, signal)),
    setAgent: (agent) => on((session) => setAgent(engine, session, agent)),
    setModel: (model) => on((session) => conduct.set(engine, session, { model })),
    setMode: (mode) => on((session) => conduct.set(engine, session, { mode })),
    guidance: () => fresh((session) => guidance(engine, session)),
    selectAgent: (name) => on((session) => selectAgent(engine, session, name)),
    switchGuidance: (change) => on((session) => switchGuidance(engine, session, change)),
    setSteerable: (isSteerable) => on((session) => setSteerable(engine, session, isSteerable)),
    moveTo: (cwd) => on((session) => moveTo(engine, session, cwd)),
    rename: (name) => rename(engine, id, name),
    nameByDefault: (name) => nameByDefault(engine, id, name),

    state: () => fresh(stateWithUnwritten),
    metadata: () => metadata(engine, id),
    workspaceFile: () => workspaceFile(engine, id),
    follow: (given) => follow(engine, () => on((session) => session), given),
    events: (query) => readEvents(engine, id, query),
    eventItems: () => eventItems(engine, id),
    raw: () => rawLog(engine, id),
    transcript: () => transcript(engine, id),
    contextSize: () => on((session) => contextSize(engine, session)),
    contextParts: (given) => fresh((session) => contextParts(engine, session, given)),
    contextAt: (moment = {}) => fresh((session) => contextAt(engine, session, moment)),
    contextItem: (item) => fresh((session) => contextItem(engine, session, item)),
    askAside: (question) => fresh((session) => askAside(engine, session, question)),
    note: (remark) => on((session) => note(engine, session, remark)),
    recordHandoff: (from) => on((session) => recordHandoff(engine, session, from)),

    metrics: () => fresh((session) => metricsOf(engine, session)),
    usage: () => fresh((session) => usageOf(engine, session)),
    rewindPoints: () => fresh(points),
    previewRewind: (eventId) => fresh((session) => preview(engine, session, eventId)),
    changes: (scope) => fresh((session) => changes(engine, session, scope)),
    changedFile: (scope, file) => fresh((session) => changedFile(engine, session, scope, file)),
    restoreFile: (wish) => on((session) => restoreFile(engine, session, wish)),
    // The right to write brings what others wrote along.
    rewind: (eventId, given) => on((session) => rewind(engine, session, eventId, given)),
    undo: (given) => fresh((session) => undo(engine, session, given)),
    redo: (given) => on((session) => redo(engine, session, given)),
    fork: (given) => fresh((session) => fork(engine, session, given)),
    rewoundBranches: () => fresh((session) => rewoundBranches(engine, session)),
    compact: (given) => fresh((session) => compact(engine, session, given)),
    editContext: (edit) => fresh((session) => editContext(engine, session, edit)),
    clearContext: (prompt) => on((session) => clearContext(engine, session, prompt)),
    summariseForHandoff: () => on((session) => summariseForHandoff(engine, session)),

    readPlan: () => artifacts.readPlan(engine, id),
    writePlan: (text) => fresh((session) => artifacts.writePlan(engine, session, text)),
    deletePlan: () => fresh((session) => artifacts.deletePlan(engine, session)),
    files: () => artifacts.files(engine, id),
    readFile: (path) => translated(() => artifacts.readFile(engine, id, path)),
    writeFile: (path, bytes) =>
      fresh((session) => artifacts.writeFile(engine, session, path, bytes)),
    statPath: (path) => translated(() => statPath(engine, id, path)),
    createFolder: (path) => on((session) => createFolder(engine, session, path)),
    removePath: (path, given) => fresh((session) => removePath(engine, session, path, given)),
    renamePath: (from, to) => fresh((session) => renamePath(engine, session, from, to)),
    checkpoints: () => artifacts.checkpoints(engine, id),
    readCheckpoint: (number) => artifacts.readCheckpoint(engine, id, number),
    readBlob: (sha256, given) => translated(() => artifacts.readBlob(engine, id, sha256, given)),
    clientMetadata: () => readClientMetadata(engine, id),
    updateClientMetadata: (change) =>
      on((session) => updateClientMetadata(engine, session, change)),
  }
}

/** One that is in use is not closed as one that nobody needs. */
async function using<T>(
  session: LiveSession,
  action: (session: LiveSession) => Promise<T> | T,
): Promise<T> {
  const { use } = session
  use.underWay += 1
  use.lastAt = performance.now()
  try {
    return await action(session)
  } finally {
    use.underWay -= 1
    use.lastAt = performance.now()
  }
}

async function translated<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    throw translateError(cause)
  }
}
