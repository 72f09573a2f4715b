/** The public library: `openEngine` and the types that its methods speak. */
export { openEngine } from './wiring/open-engine.ts'
export type { OpenOptions } from './wiring/open-engine.ts'
export { openDisk } from './fs/disk.ts'
export { openMemory } from './fs/memory.ts'
export { EngineError } from './engine/errors.ts'
export { offlineAgent } from './agents/offline/offline.ts'

export type { Engine } from './engine/engine.ts'
export type { ErrorCode } from './engine/errors.ts'
export type {
  Agent,
  AgentItem,
  PermissionDecision,
  PermissionPolicy,
  PermissionRequest,
  SummaryRequest,
  Turn,
  UserCall,
} from './engine/agent.ts'
export type { SessionFs } from './fs/session-fs.ts'
export type {
  Draft,
  DraftOf,
  Event,
  EventOf,
  EventType,
  Payload,
  Stranger,
} from './format/event.ts'
export type { EventId, SessionId } from './format/ids.ts'
export type { Notice, NoticeOf, NoticeType } from './format/notice.ts'
export type { CreateOptions } from './engine/live/create.ts'
export type { ResumeOptions } from './engine/live/resume.ts'
export type { Session } from './engine/session.ts'
export type { SessionParts } from './engine/session-parts.ts'
export type { Message, TurnOutcome } from './engine/turn/message.ts'
export type { SendOptions, Sent } from './engine/turn/send.ts'
export type { Pending } from './engine/transport/pending.ts'
export type { RunningSessions, Work } from './engine/transport/running-sessions.ts'
export type { RanTool, RunToolOptions } from './engine/turn/run-tool.ts'
export type { WindowParts } from './engine/history/context-parts.ts'
export type { WriterOptions } from './engine/live/writer.ts'
export type { FeedItem } from './engine/live/feed.ts'
export type { FollowOptions } from './engine/live/follow.ts'
export type { EventPage, EventQuery } from './engine/live/events.ts'
export type { SessionSummary } from './engine/catalogue/catalogue-row.ts'
export type { SessionMetadata } from './engine/sessions/metadata.ts'
export type { Project } from './engine/sessions/project.ts'
export type { Resolution } from './engine/sessions/resolve.ts'
export type { RewindPreview, RewindResult } from './engine/history/rewind.ts'
export type { RewindPoint } from './state/turns.ts'
export type { ForkOptions, Forked } from './engine/history/fork.ts'
export type { CompactOptions, Compacted } from './engine/history/compact.ts'
export type { Removal, Trashed } from './engine/sessions/remove.ts'
export type { PruneOptions, Pruned } from './engine/sessions/prune.ts'
export type { Diagnosis, Mended } from './engine/sessions/doctor.ts'
export type { ModelChoice } from './engine/live/session-settings.ts'
export type { Mode } from './engine/turn/message.ts'
export type { SessionState } from './state/session-state.ts'
export type { TranscriptEntry } from './state/transcript.ts'
