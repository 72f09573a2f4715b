/** All commands that a session knows. The order is that of the help. */
import {
  board,
  boardAccept,
  boardAdd,
  boardDismiss,
  boardPropose,
  boardPrune,
  boardRemove,
} from './board.ts'
import { changes } from './changes.ts'
import { features } from './features.ts'
import { reports } from './chronicle.ts'
import type { Command } from './command.ts'
import { compact, usage } from './context.ts'
import { context, contextOmit, contextRestore } from './context-at.ts'
import { copy } from './copy.ts'
import { forget } from './forget.ts'
import { fork, tree } from './fork.ts'
import { agents, instructions, skills } from './guidance.ts'
import { importCommand } from './import.ts'
import { help } from './help.ts'
import { keys, theme } from './theme.ts'
import { login } from './login.ts'
import { migrate } from './migrate.ts'
import {
  cancel,
  queue,
  queueClear,
  queueEdit,
  queueMove,
  queueRelease,
  queueRemove,
  tell,
} from './queue.ts'
import { handoff, remoteTake } from './handoff.ts'
import { remote, remoteApprove, remoteLink, remoteList, remoteOff, remoteOn } from './remote.ts'
import { tasksArchive, tasksCancel, tasksList, tasksShow, tasksStart } from './tasks.ts'
import { deleteAll, deleteSession, discard, prune, restore, trash } from './remove.ts'
import { reopen } from './reopen.ts'
import { reindex } from './reindex.ts'
import { rename } from './rename.ts'
import { retry } from './retry.ts'
import { search } from './search.ts'
import { checkpoints, files, plan, planDelete, planSet } from './session-files.ts'
import { sessionInfo } from './session-info.ts'
import { exit, fresh, resume, sessions } from './sessions.ts'
import { options } from './agent-options.ts'
import { agent, mode, model, permissions } from './settings.ts'
import { servers } from './servers.ts'
import { share, shareLink } from './share.ts'
import { sql } from './sql.ts'
import { remoteKickstart } from './kickstart.ts'
import { remoteStatus } from './remote-status.ts'
import { remoteSync } from './sync.ts'
import { redo, rewind, undo } from './time.ts'

export const table: readonly Command[] = [
  sessions,
  sessionInfo,
  checkpoints,
  files,
  plan,
  planSet,
  planDelete,
  rename,
  prune,
  deleteSession,
  deleteAll,
  trash,
  restore,
  discard,
  forget,
  resume,
  reopen,
  fresh,
  undo,
  redo,
  rewind,
  changes,
  fork,
  tree,
  compact,
  context,
  contextOmit,
  contextRestore,
  instructions,
  skills,
  agents,
  servers,
  usage,
  model,
  options,
  agent,
  login,
  mode,
  permissions,
  tell,
  retry,
  cancel,
  queue,
  queueEdit,
  queueMove,
  queueRemove,
  queueClear,
  queueRelease,
  search,
  sql,
  ...reports,
  reindex,
  board,
  boardAdd,
  boardRemove,
  boardPrune,
  boardAccept,
  boardDismiss,
  boardPropose,
  copy,
  share,
  shareLink,
  importCommand,
  migrate,
  remote,
  remoteOn,
  remoteOff,
  remoteStatus,
  remoteSync,
  remoteList,
  remoteApprove,
  remoteKickstart,
  remoteTake,
  handoff,
  remoteLink,
  tasksList,
  tasksStart,
  tasksShow,
  tasksCancel,
  tasksArchive,
  theme,
  keys,
  features,
  help,
  exit,
]
