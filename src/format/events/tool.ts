/** What tools were asked for, ran and gave. */
import { z } from 'zod'
import { reprise } from '../blobs.ts'
import {
  flag,
  integer,
  maybeAnything,
  maybeFields,
  maybeFlag,
  maybeInteger,
  maybeText,
  maybeTexts,
  oneOf,
  openEnum,
  optional,
  payload,
  text,
  texts,
} from '../define.ts'
import { fusion } from './fusion.ts'
import { remediation } from './session-lifecycle.ts'

const binary = {
  type: openEnum('image', 'resource'),
  mimeType: text,
  description: maybeText,
  metadata: maybeFields,
}

/** The bytes themselves, the id of the asset that holds them, or the reason why they are not here. */
const BinaryResult = z.object({
  ...binary,
  data: maybeText,
  assetId: maybeText,
  byteLength: maybeInteger,
  omittedReason: optional(openEnum('too_large', 'asset_unavailable')),
})

const embedded = z.object({
  uri: text,
  mimeType: maybeText,
  text: maybeText,
  blob: maybeText,
})

const ToolResultContent = oneOf('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({
    type: z.literal('terminal'),
    text,
    exitCode: maybeInteger,
    cwd: maybeText,
  }),
  z.object({
    type: z.literal('shell_exit'),
    shellId: text,
    exitCode: integer,
    cwd: maybeText,
    outputFilePath: maybeText,
    outputPreview: maybeText,
    outputTruncated: maybeFlag,
  }),
  z.object({ type: z.literal('image'), data: text, mimeType: text }),
  z.object({ type: z.literal('audio'), data: text, mimeType: text }),
  z.object({
    type: z.literal('resource_link'),
    uri: text,
    name: text,
    title: maybeText,
    description: maybeText,
    mimeType: maybeText,
    size: maybeInteger,
    icons: optional(
      z.array(
        z.object({
          src: text,
          mimeType: maybeText,
          sizes: maybeTexts,
          theme: optional(openEnum('light', 'dark')),
        }),
      ),
    ),
  }),
  z.object({ type: z.literal('resource'), resource: embedded }),
])
export type ToolResultContent = z.output<typeof ToolResultContent>

/** `content` is for the model; `detailedContent` is what people are shown when they want all of it. */
const ToolExecutionCompleteResult = z.object({
  content: text,
  detailedContent: maybeText,
  contents: optional(z.array(ToolResultContent)),
  structuredContent: maybeAnything,
  binaryResultsForLlm: optional(z.array(BinaryResult)),
  citableSources: optional(
    z.array(
      z.object({ id: text, content: text, path: maybeText, title: maybeText, url: maybeText }),
    ),
  ),
  mcpMeta: maybeAnything,
  uiResource: maybeAnything,
})
export type ToolExecutionCompleteResult = z.output<typeof ToolExecutionCompleteResult>

const ToolExecutionCompleteError = z.object({ message: text, code: maybeText, remediation })
export type ToolExecutionCompleteError = z.output<typeof ToolExecutionCompleteError>

const toolDescription = optional(
  z.object({ name: text, description: maybeText, _meta: maybeFields }),
)

export const toolEvents = {
  'tool.user_requested': payload('A person asked for a tool to be run.', {
    toolCallId: text,
    toolName: text,
    arguments: maybeAnything,
  }),
  'tool.execution_start': payload('A tool begins to run.', {
    toolCallId: text,
    toolName: text,
    arguments: maybeAnything,
    shellToolInfo: optional(
      z.object({
        possiblePaths: texts,
        hasWriteFileRedirection: flag,
        displayCommand: maybeText,
      }),
    ),
    model: maybeText,
    rte: maybeFlag,
    mcpServerName: maybeText,
    mcpConfigServerName: maybeText,
    mcpToolName: maybeText,
    mcpTransport: optional(openEnum('stdio', 'http', 'sse', 'memory')),
    mcpConfigSource: optional(openEnum('user', 'workspace', 'plugin', 'builtin', 'managed')),
    turnId: maybeText,
    displayVerbatim: maybeFlag,
    toolTitle: maybeText,
    toolDescription,
    parentToolCallId: maybeText,
    fusion,
  }),
  'tool.execution_complete': payload('A tool is done: what it gave, or why it failed.', {
    toolCallId: text,
    success: flag,
    model: maybeText,
    mcpMeta: maybeAnything,
    interactionId: maybeText,
    rte: maybeFlag,
    isUserRequested: maybeFlag,
    result: optional(ToolExecutionCompleteResult),
    error: optional(ToolExecutionCompleteError),
    toolTelemetry: maybeFields,
    turnId: maybeText,
    toolDescription,
    sandboxed: maybeFlag,
    shellExecution: optional(z.object({ exitCode: integer })),
    fileEdits: optional(z.array(z.object({ path: text, kind: openEnum('create', 'edit') }))),
    parentToolCallId: maybeText,
    fusion,
    reprise,
  }),
  'tool_search.activated': payload('Tools were found by a search and can be called from here on.', {
    strategy: text,
    toolNames: texts,
  }),
  'external_tool.requested': payload('A tool that lives with a connected client is called.', {
    requestId: text,
    sessionId: text,
    toolCallId: text,
    toolName: text,
    providerId: optional(text.nullable()),
    arguments: maybeAnything,
    workingDirectory: maybeText,
    traceparent: maybeText,
    tracestate: maybeText,
  }),
} as const
