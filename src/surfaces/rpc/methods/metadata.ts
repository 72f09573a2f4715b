/** What is known of an open session, and what programs keep with it. */
import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { context } from './sessions.ts'
import { workspaceOf } from './session.ts'

const text = z.string().max(4096)

export const metadataMethods: Methods = {
  'session.metadata.snapshot': sessionMethod('A session at a glance.', async (session) => {
    const { ops, id, startedAt } = session
    const [state, file, holder] = await Promise.all([
      ops.state(),
      ops.workspaceFile(),
      ops.holder(),
    ])
    const startTime = state.startTime ?? startedAt.toISOString()
    const summary = file?.name ?? state.titleHint
    const { unknown: _notOurs, ...workspace } = file ?? { id }
    return {
      sessionId: id,
      startTime,
      modifiedTime: state.lastTimestamp ?? startTime,
      isRemote: false,
      alreadyInUse: holder !== undefined,
      workspacePath: workspaceOf(session),
      backend: session.engine.fs.backend,
      workingDirectory: ops.now?.cwd ?? state.project.cwd ?? '',
      currentMode: state.mode,
      sessionLimits: state.limits ?? null,
      workspace: file === undefined ? null : workspace,
      ...defined({ summary, clientName: file?.client_name, selectedModel: state.model }),
    }
  }),
  'session.metadata.isProcessing': sessionMethod('Whether a turn runs.', ({ ops }) => ({
    processing: ops.now?.isRunning ?? false,
  })),
  'session.metadata.activity': sessionMethod('What goes on.', ({ ops }) => {
    const now = ops.now
    return {
      abortable: now?.isRunning ?? false,
      hasActiveWork: now !== undefined && (now.isRunning || now.isCompacting),
    }
  }),
  'session.metadata.contextInfo': sessionMethod(
    'How full the model context is, estimated.',
    {
      promptTokenLimit: z.number().optional(),
      outputTokenLimit: z.number().optional(),
      selectedModel: z.string().optional(),
    },
    async (session, { promptTokenLimit, outputTokenLimit = 0, selectedModel }) => {
      const { ops } = session
      await session.agent.ready()
      const { model } = await ops.state()
      const size = await ops.contextSize()
      const { systemTokens, conversationTokens, window } = size
      const { toolDefinitionsTokens, mcpToolsTokens } = size
      const limit = promptTokenLimit ?? window ?? 0
      return {
        contextInfo: {
          modelName: selectedModel ?? model ?? '',
          systemTokens,
          conversationTokens,
          toolDefinitionsTokens,
          mcpToolsTokens,
          totalTokens: systemTokens + conversationTokens + toolDefinitionsTokens + mcpToolsTokens,
          promptTokenLimit: limit,
          compactionThreshold: Math.floor(limit * 0.8),
          limit: limit + outputTokenLimit,
          bufferTokens: outputTokenLimit,
        },
      }
    },
  ),
  'session.metadata.getClientMetadata': passOn('clientMetadata', {
    summary: 'What programs keep with the session.',
    from: (read) => (read.status === 'ok' ? read.metadata : {}),
  }),
  'session.metadata.updateClientMetadata': passOn('updateClientMetadata', {
    summary: 'Changes it.',
    takes: {
      clear: z.boolean().optional(),
      remove: z.array(text).optional(),
      set: z.record(text, text).optional(),
    },
    to: ({ clear, remove, set }) => [defined({ clear, remove, set })],
    from: (metadata) => metadata,
  }),
  'session.metadata.recordContextChange': passOn('moveTo', {
    summary:
      'Says that the session works elsewhere now. Repository and branch are looked up there.',
    takes: { context },
    to: ({ context: { cwd } }) => [cwd],
    answer: {},
  }),
  'session.metadata.setWorkingDirectory': passOn('moveTo', {
    summary: 'Lets the session work in another directory.',
    takes: { workingDirectory: z.string() },
    to: ({ workingDirectory }) => [workingDirectory],
    from: ({ cwd }) => ({ workingDirectory: cwd }),
  }),
}
