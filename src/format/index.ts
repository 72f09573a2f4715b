/** `reprise/format`: everything needed to read and write session folders, without any IO. */
export { eventSchemas, isEventType, recognise, serialise } from './event.ts'
export type { Draft, DraftOf, Envelope, Event, EventOf, EventType, Payload } from './event.ts'
export type { Recognised, Stranger } from './event.ts'

export { isNoticeType, noticeSchemas } from './notice.ts'
export type { Notice, NoticeOf, NoticePayload, NoticeType } from './notice.ts'

export { asEventId, asSessionId, isEventId, isSessionId } from './ids.ts'
export { EventIdSchema, SessionIdSchema } from './id-schemas.ts'
export type { EventId, SessionId } from './ids.ts'

export type { BlobReference } from './blobs.ts'
export type { AssistantMessageToolRequest } from './events/assistant.ts'
export type { Attachment } from './events/attachment.ts'
export type { PermissionRequest } from './events/permission-request.ts'
export type { PermissionResult } from './events/permission.ts'
export type { WorkingDirectoryContext } from './events/session-lifecycle.ts'
export type {
  ToolExecutionCompleteError,
  ToolExecutionCompleteResult,
  ToolResultContent,
} from './events/tool.ts'
export type { SystemNotification } from './events/user.ts'

export { parsePlainYaml, printWorkspaceFile, toWorkspaceFile } from './workspace-file.ts'
export { workspaceFileSchema } from './workspace-file.ts'
export type { ReadWorkspaceFile, WorkspaceFile } from './workspace-file.ts'

export {
  checkpointFileName,
  parseIndex,
  parseSummary,
  printIndex,
  printSummary,
  sections,
} from './checkpoint-file.ts'
export type { CheckpointEntry, Section, Summary } from './checkpoint-file.ts'
