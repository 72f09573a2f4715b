/** Example data for every event type: written by hand where it matters, else from the schema. */
import { z } from 'zod'
import { eventSchemas, type EventType, type Payload } from '../src/format/event.ts'

export function exampleOf(type: EventType): unknown {
  return written[type] ?? exampleValue(type, eventSchemas[type])
}

const written: { [T in EventType]?: Payload<T> } = {
  'session.start': {
    sessionId: '8d3f1c9e-52b7-4e0a-9c44-6a1b0d2e7f35',
    version: 1,
    producer: 'reprise',
    copilotVersion: '1.0.102',
    startTime: '2026-03-02T09:30:00.000Z',
    context: { cwd: '/home/ada/parser', gitRoot: '/home/ada/parser', branch: 'main' },
  },
  'session.resume': { resumeTime: '2026-03-03T08:00:00.000Z', eventCount: 42 },
  'session.info': { infoType: 'fork', message: 'Forked from "Fix the parser"' },
  'session.mode_changed': { previousMode: 'plan', newMode: 'interactive' },
  'session.permissions_changed': { previousMode: 'manual', mode: 'assisted' },
  'session.session_limits_changed': { sessionLimits: { maxAiCredits: 20 } },
  'session.compaction_start': { trigger: 'threshold', currentTokens: 91_000 },
  'session.compaction_complete': {
    success: true,
    preCompactionTokens: 91_000,
    postCompactionTokens: 6_200,
    checkpointNumber: 1,
    checkpointPath: 'checkpoints/001-fix-the-parser.md',
    summaryContent: '<overview>\nThe parser drops comments.\n</overview>\n',
  },
  'session.handoff': {
    handoffTime: '2026-03-02T18:00:00.000Z',
    sourceType: 'remote',
    repository: { owner: 'ada', name: 'parser', branch: 'main' },
    summary: 'The failing test is written, the fix is not.',
  },
  'session.usage_record': { usage: { model: 'gpt-5', inputTokens: 1200, outputTokens: 80 } },
  'user.message': {
    content: 'Why does the parser drop comments?',
    attachments: [{ type: 'file', path: 'src/parse.ts', displayName: 'parse.ts' }],
  },
  'assistant.message': {
    messageId: 'm-1',
    content: 'Let me look.',
    toolRequests: [{ toolCallId: 'call-1', name: 'view', arguments: { path: 'src/parse.ts' } }],
  },
  'tool.execution_start': {
    toolCallId: 'call-1',
    toolName: 'view',
    arguments: { path: 'src/parse.ts' },
  },
  'tool.execution_complete': {
    toolCallId: 'call-1',
    success: true,
    result: { content: 'export function parse() {}' },
  },
  'permission.requested': {
    requestId: 'p-1',
    permissionRequest: {
      kind: 'read',
      toolCallId: 'call-1',
      intention: 'Read the parser',
      path: 'src/parse.ts',
    },
  },
  'permission.completed': {
    requestId: 'p-1',
    toolCallId: 'call-1',
    result: { kind: 'denied-interactively-by-user', feedback: 'Not this file.' },
  },
}

/** Required fields only, each with the least that its schema takes. */
function exampleValue(name: string, schema: z.core.$ZodType | undefined): unknown {
  if (schema instanceof z.ZodNullable) return null
  if (schema instanceof z.ZodString) return exampleText(name, schema)
  if (schema instanceof z.ZodNumber) return 1
  if (schema instanceof z.ZodBoolean) return true
  if (schema instanceof z.ZodArray) return [exampleValue(name, schema.def.element)]
  if (schema instanceof z.ZodObject) return exampleObject(schema)
  if (schema instanceof z.ZodDiscriminatedUnion) return exampleValue(name, schema.def.options[0])
  if (schema instanceof z.ZodLiteral) return schema.value
  return {}
}

function exampleObject(schema: z.ZodObject): unknown {
  const required = Object.entries(schema.shape).filter(
    ([, field]) => !(field instanceof z.ZodExactOptional),
  )
  return Object.fromEntries(required.map(([name, field]) => [name, exampleValue(name, field)]))
}

function exampleText(name: string, schema: z.ZodString): string {
  const known = z.globalRegistry.get(schema)?.examples
  if (Array.isArray(known)) return String(known[0])
  if (name.endsWith('Time')) return '2026-03-02T09:30:00.000Z'
  if (/model$/i.test(name)) return 'gpt-5'
  return texts[name] ?? (/id$/i.test(name) ? `${name.replace(/Id$/, '').toLowerCase()}-1` : name)
}

const texts: Readonly<Record<string, string>> = {
  actionClass: 'shell',
  agentDescription: 'Finds code and answers questions about it.',
  agentDisplayName: 'Explorer',
  agentName: 'explore',
  agentType: 'explore',
  content: 'The text.',
  cwd: '/home/ada/parser',
  data: 'aGVsbG8=',
  error: 'It gave up.',
  hookType: 'preToolUse',
  message: 'What happened, in one sentence.',
  mimeType: 'text/plain',
  name: 'code-review',
  path: 'files/notes.md',
  prompt: 'Run the tests again.',
  sessionId: '8d3f1c9e-52b7-4e0a-9c44-6a1b0d2e7f35',
  summary: 'What was done.',
  toolCallId: 'call-1',
  toolName: 'bash',
  toolNames: 'bash',
}
