/** The public library: `openEngine` and the types that its methods speak. */
export { openEngine } from './open-engine.ts'
export type { OpenOptions } from './open-engine.ts'
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
export type { CreateOptions } from './engine/create.ts'
export type { ResumeOptions } from './engine/resume.ts'
export type { Message, TurnOutcome } from './engine/send.ts'
export type { HandedOver } from './engine/anywhere.ts'
export type { Asked, Work, WorkElsewhere } from './engine/elsewhere.ts'
export type { RanTool, RunToolOptions } from './engine/run-tool.ts'
export type { WindowParts } from './engine/context-parts.ts'
export type { WriterOptions } from './engine/writer.ts'
export type { FeedItem } from './engine/feed.ts'
export type { FollowOptions } from './engine/follow.ts'
export type { EventPage, EventQuery } from './engine/events.ts'
export type { SessionSummary } from './engine/catalogue.ts'
export type { SessionMetadata } from './engine/metadata.ts'
export type { Project } from './engine/project.ts'
export type { Resolution } from './engine/resolve.ts'
export type { RewindPreview, RewindResult } from './engine/rewind.ts'
export type { RewindPoint } from './state/turns.ts'
export type { ForkOptions, Forked } from './engine/fork.ts'
export type { CompactOptions, Compacted } from './engine/compact.ts'
export type { Removal, Trashed } from './engine/remove.ts'
export type { PruneOptions, Pruned } from './engine/prune.ts'
export type { Diagnosis, Mended } from './engine/doctor.ts'
export type { Mode, ModelChoice } from './engine/settings.ts'
export type { SessionState } from './state/session-state.ts'
export type { TranscriptEntry } from './state/transcript.ts'
