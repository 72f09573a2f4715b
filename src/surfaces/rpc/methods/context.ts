/** What fills the window of the model, what it can use, what it is told; and a question beside the conversation. */
import { z } from 'zod'
import { estimateTokens } from '../../../state/token-estimate.ts'
import type { HostedSession } from '../hosted-session.ts'
import { tell } from '../follow-session.ts'
import { method, passOn, sessionMethod, type Methods } from '../method.ts'
import type { Server } from '../server.ts'
import { definedTool } from '../tool-definition.ts'

const MOST = 1000
const UNKNOWN_WINDOW = 128_000

export const contextMethods: Methods = {
  'tools.list': method(
    'The tools that every session has which a model answers.',
    { model: z.string().optional() },
    async ({ server }) => ({ tools: await builtinTools(server, 'parameters') }),
  ),
  'session.tools.getBuiltinDescriptors': sessionMethod(
    'The tools of ours that the session has.',
    async (_session, _params, { server }) => ({ tools: await builtinTools(server, 'inputSchema') }),
  ),
  'session.metadata.getContextAttribution': sessionMethod(
    'What fills the window of the model, by kind and piece, estimated.',
    async (session) => ({ contextAttribution: await attribution(session) }),
  ),
  'session.metadata.getContextHeaviestMessages': passOn('contextParts', {
    summary: 'The messages and results that take most of it.',
    takes: { limit: z.int().min(1).max(100).optional() },
    needsAgent: true,
    to: () => [{ most: MOST }],
    from: ({ total, largest }, { limit = 10 }) => ({
      totalTokens: total,
      messages: largest
        .filter(({ kind }) => SAID.has(kind))
        .slice(0, limit)
        .map(({ kind, what, tokens }, index) => ({
          id: `message-${index}`,
          label: what,
          role: kind === 'tools' ? 'tool' : what.startsWith('answer: ') ? 'assistant' : 'user',
          tokens,
        })),
    }),
  }),
  'session.metadata.recomputeContextTokens': passOn('contextSize', {
    summary: 'Counts anew how much the model is given, without its tools.',
    takes: { modelId: z.string() },
    needsAgent: true,
    from: ({ systemTokens, conversationTokens }) => ({
      totalTokens: systemTokens + conversationTokens,
      messagesTokenCount: conversationTokens,
      systemTokenCount: systemTokens,
    }),
  }),
  'session.instructions.getSources': passOn('guidance', {
    summary: 'Instruction files that the model is given.',
    needsAgent: true,
    from: ({ instructions }) => ({
      sources: instructions.map(({ isOn, ...source }) => ({
        ...source,
        ...(!isOn && { defaultDisabled: true }),
      })),
    }),
  }),
  'session.ui.ephemeralQuery': sessionMethod(
    'Asks the model something beside the conversation. It is told (`ui.ephemeral_query`) and kept nowhere.',
    { question: z.string().min(1) },
    async (session, { question }) => {
      const requestId = crypto.randomUUID()
      const say = (data: object) =>
        tell(session, { type: 'ui.ephemeral_query', data: { requestId, ...data } })
      await session.agent.ready()
      say({ phase: 'started' })
      try {
        const answer = await session.ops.askAside(question)
        say({ phase: 'completed', answer })
        return { answer }
      } catch (error) {
        say({ phase: 'failed', error: error instanceof Error ? error.message : String(error) })
        throw error
      }
    },
  ),
}

/** Two methods word the schema of a tool differently. */
const builtinTools = async ({ parts }: Server, schema: 'parameters' | 'inputSchema') =>
  (await parts.builtinTools()).map(definedTool).map((tool) => {
    const { name, description, input_schema: takes } = tool
    return { name, description, [schema]: takes }
  })

const SAID: ReadonlySet<string> = new Set(['messages', 'summary', 'tools', 'board'])

async function attribution(session: HostedSession) {
  await session.agent.ready()
  const {
    kinds,
    total,
    largest,
    window = UNKNOWN_WINDOW,
  } = await session.ops.contextParts({ most: MOST })
  const { model } = await session.ops.state()
  const definitions = session.agent.agent.toolDefinitions?.() ?? []
  const sizes = definitions.map(({ name, text, server }) => ({
    name,
    isMcp: server !== undefined,
    tokens: estimateTokens(text),
  }))
  const of = (kind: string) => kinds.find((each) => each.kind === kind)?.tokens ?? 0
  const mcpTools = sizes.reduce((sum, { isMcp, tokens }) => sum + (isMcp ? tokens : 0), 0)
  const buffer = Math.floor(window * 0.05)
  const messages = of('messages') + of('summary') + of('tools') + of('board')
  return {
    totalTokens: total,
    modelId: model ?? session.config.model ?? '',
    modelSource: 'selected',
    promptTokenLimit: window,
    limit: window,
    bufferTokens: buffer,
    compactionThreshold: Math.floor(window * 0.8),
    categories: {
      systemPrompt: of('system'),
      customInstructions: of('instructions'),
      systemTools: of('definitions') - mcpTools,
      mcpTools,
      messages,
      freeSpace: Math.max(0, window - total - buffer),
      buffer,
    },
    compactions: { count: (await session.ops.checkpoints()).length },
    entries: [
      { kind: 'system', id: 'systemPrompt', label: 'System prompt', tokens: of('system') },
      {
        kind: 'system',
        id: 'toolDefinitions',
        label: 'Tool definitions',
        tokens: of('definitions'),
      },
      ...sizes.map(({ name, tokens }) => ({
        kind: 'toolDefinition',
        id: `toolDefinition:${name}`,
        label: name,
        tokens,
        parentId: 'toolDefinitions',
      })),
      ...largest
        .filter(({ kind }) => kind === 'instructions' || SAID.has(kind))
        .map(({ kind, what, tokens }, index) => ({
          kind: kind === 'instructions' ? 'instructions' : 'message',
          id: `${kind}:${index}`,
          label: what,
          tokens,
        })),
    ],
  }
}
