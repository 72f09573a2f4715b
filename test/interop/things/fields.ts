/** What front ends draw from: the fields of events, what is put to a person, of which kind a failure is. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineTool, type SessionEvent } from '@github/copilot-sdk'
import { z } from 'zod'
import { outcome, type Things } from './thing.ts'

/** What front ends draw from, of each event. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'user.message': ['content', 'delivery', 'interactionId', 'messageId', 'turnId'],
  'assistant.turn_start': ['turnId', 'interactionId'],
  'assistant.usage': [
    'apiCallId',
    'apiEndpoint',
    'contentFilterTriggered',
    'cost',
    'duration',
    'finishReason',
    'initiator',
    'inputTokens',
    'interactionType',
    'isAuto',
    'isByok',
    'model',
    'outputTokens',
    'transport',
  ],
  'assistant.message': [
    'content',
    'messageId',
    'model',
    'originatingMessageId',
    'toolRequests',
    'toolRequests.1.mcpServerName',
    'toolRequests.1.mcpToolName',
    'turnId',
  ],
  'tool.execution_start': ['arguments', 'mcpServerName', 'mcpToolName', 'model', 'shellToolInfo'],
  'tool.execution_complete': [
    'interactionId',
    'model',
    'result.detailedContent',
    'shellExecution',
    'success',
    'turnId',
  ],
  'permission.requested': [
    'agentMode',
    'permissionRequest.diff',
    'promptRequest.commandIdentifiers',
    'promptRequest.diff',
    'promptRequest.path',
    'promptRequest.serverName',
    'promptRequest.toolDescription',
  ],
  'session.usage_info': [
    'conversationTokens',
    'currentTokens',
    'isInitial',
    'messagesLength',
    'systemTokens',
    'tokenLimit',
    'toolDefinitionsTokens',
  ],
  'session.shutdown': [
    'codeChanges.filesModified',
    'conversationTokens',
    'currentModel',
    'currentTokens',
    'modelMetrics.m.usage.inputTokens',
    'sessionStartTime',
    'systemTokens',
    'toolDefinitionsTokens',
    'totalApiDurationMs',
    'totalNanoAiu',
  ],
}

const has = ({ data }: SessionEvent, field: string): boolean =>
  field
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      data,
    ) !== undefined

const mine = defineTool('mine', {
  description: 'mine',
  parameters: z.object({}),
  handler: () => 'x',
})

export const fieldThings: Things = {
  'fields of the events of a turn': async (stage) => {
    const { client, config, model, dir } = stage
    const events: SessionEvent[] = []
    const session = await client.createSession({
      ...config,
      tools: [mine],
      mcpServers: {
        calc: { type: 'local', command: process.execPath, args: [CALC], tools: ['*'] },
      },
      onEvent: (event) => void events.push(event),
    })
    const path = join(dir, 'a.txt')
    model.say(
      { tools: [['create', { path, file_text: 'one\ntwo\n' }]] },
      { tools: [['edit', { path, old_str: 'one', new_str: 'three' }]] },
      { tools: [['bash', { command: 'echo hi', description: 'says hi' }]] },
      {
        tools: [
          ['mine', {}],
          ['calc-echo', { text: 'x' }],
          ['view', { path }],
        ],
      },
      { text: 'end' },
    )
    await session.sendAndWait('go')
    await session.disconnect()
    return Object.entries(FIELDS).map(([type, fields]) => [
      type,
      fields.map((field) => [
        field,
        events.some((event) => event.type === type && has(event, field)),
      ]),
    ])
  },
  'a hook before a tool server is asked': async ({ client, config, model }) => {
    const heard: unknown[] = []
    const session = await client.createSession({
      ...config,
      mcpServers: {
        calc: { type: 'local', command: process.execPath, args: [CALC], tools: ['*'] },
      },
      hooks: {
        onPreMcpToolCall: ({ serverName, toolName, arguments: args }) => {
          heard.push([serverName, toolName, args])
          return { metaToUse: { tenant: 'one' } }
        },
      },
    })
    model.say({ tools: [['calc-echo', { text: 'x' }]] }, { text: 'end' })
    await session.sendAndWait('go')
    return [heard, JSON.stringify(model.asked.at(-1)?.messages).includes('tenant')]
  },
  'what an edit would do, as it is put to a person': async (stage) => {
    const { client, config, model, dir } = stage
    const path = join(dir, 'a.txt')
    writeFileSync(path, 'apple\nbanana\n')
    const changed: unknown[] = []
    const session = await client.createSession({
      ...config,
      onPermissionRequest: (request) => {
        const { diff = '' } = request as { diff?: string }
        changed.push([request.kind, diff.split('\n').filter((line) => /^[-+ ]\w/.test(line))])
        return { kind: 'approve-once' }
      },
    })
    model.say({ tools: [['edit', { path, old_str: 'apple', new_str: 'cherry' }]] }, { text: 'end' })
    await session.sendAndWait('go')
    return changed
  },
  'failures of a provider by their kind': async ({ client, config, model }) => {
    const told: unknown[] = []
    for (const status of [401, 404, 400]) {
      const session = await client.createSession({
        ...config,
        onEvent: (event) =>
          void (
            event.type === 'session.error' &&
            told.push([event.data.errorType, event.data.statusCode])
          ),
      })
      model.say(...Array.from({ length: 8 }, () => ({ status })))
      await outcome(session.sendAndWait('go'))
      await session.disconnect()
      model.reset()
    }
    return told
  },
  'a text that is attached as data': async (stage) => {
    const { client, config, model } = stage
    const session = await client.createSession(config)
    const attachment = {
      type: 'blob' as const,
      mimeType: 'text/plain',
      data: Buffer.from('the word is xyzzy').toString('base64'),
      displayName: 'note',
    }
    model.say({ text: 'read' })
    await session.sendAndWait({ prompt: 'look', attachments: [attachment] })
    const event = (await session.getEvents()).find(({ type }) => type === 'user.message')
    const { attachments } = (event?.data ?? {}) as { attachments?: unknown }
    return [attachments, JSON.stringify(model.asked.at(-1)?.messages).includes('xyzzy')]
  },
}

const CALC = new URL('../../model-server/mcp-server.ts', import.meta.url).pathname
