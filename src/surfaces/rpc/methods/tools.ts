/** Tools that live with clients. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { RanTool } from '../../../engine/turn/run-tool.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { offerTools } from '../join-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import type { ToolAnswer } from '../offered-tools.ts'
import { offeredTool, subagentSettings } from '../session-config.ts'
import { definedTool } from '../tool-definition.ts'

const answer = z.union([
  z.string(),
  z.looseObject({
    textResultForLlm: z.string(),
    resultType: z.string().optional(),
    error: z.string().optional(),
  }),
])

const PATIENCE_MS = 2000
const LOOK_MS = 20

/** A client that resumes a session may be quicker with its answer than the turn that goes on is with the call. */
async function calledAgain({ tools, ops }: HostedSession, requestId: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (!tools.wasCalled(requestId) && ops.now?.isRunning === true && Date.now() < until)
    await sleep(LOOK_MS)
}

export const toolMethods: Methods = {
  'session.tools.set': sessionMethod(
    'The client has these tools, and no others of those that it brought.',
    { tools: z.array(offeredTool) },
    (session, { tools }, { client }) => {
      offerTools(session, client, tools)
      return {}
    },
  ),
  'session.tools.initializeAndValidate': sessionMethod(
    'Makes the agent and connects to its tool servers. Fails when the agent cannot be made.',
    async (session) => {
      await session.agent.ready()
      if (session.agent.agent.callTool !== undefined) await session.servers.require().connectAll()
      return {}
    },
  ),
  'session.tools.execute': sessionMethod(
    'Runs a tool that the agent has, without its model: with its questions, recorded, undone with the turn before it.',
    { name: z.string().min(1), arguments: z.unknown().optional() },
    async ({ agent, ops }, { name: toolName, arguments: given = {} }) => {
      await agent.ready()
      const call = { toolName, arguments: given }
      const { completion } = await ops.runTool(call, { whenBusy: 'wait', asThe: 'agent' })
      return executed(completion)
    },
  ),
  'session.tools.updateSubagentSettings': sessionMethod(
    'Which sub-agents there may be in this session, how many, how deep, and with which models.',
    { subagents: subagentSettings.nullish() },
    (session, { subagents }) => {
      session.subagents = subagents ?? undefined
      return {}
    },
  ),
  'session.tools.taskCompleteEventData': sessionMethod(
    'What the event says of a task that the agent called done.',
    {
      toolArgs: z.looseObject({ summary: z.string().optional() }),
      finalResult: z.looseObject({ textResultForLlm: z.string(), resultType: z.string() }),
    },
    (_session, { toolArgs, finalResult }) => ({
      ...defined({ summary: toolArgs.summary }),
      success: finalResult.resultType === 'success',
    }),
  ),
  'session.tools.handlePendingToolCall': sessionMethod(
    'Gives the result of a call. The first one counts.',
    { requestId: z.string(), result: answer.optional(), error: z.string().optional() },
    async (session, { requestId, result, error }) => {
      await calledAgain(session, requestId)
      return { success: session.tools.answer(requestId, answerOf(result, error)) }
    },
  ),
  'session.tools.listPendingRequests': sessionMethod('Calls that wait.', ({ tools, id }) => ({
    items: tools.pending().map((call) => ({ ...call, sessionId: id })),
  })),
  'session.tools.getCurrentMetadata': sessionMethod(
    'The tools that the session can use: ours, of clients, and of tool servers once they were asked. Without a model that answers, those of clients.',
    async ({ tools, agent }) => {
      // An agent that cannot be made has none; the message that needs it says why.
      await agent.ready().catch(() => {})
      const known = (agent.agent.toolDefinitions?.() ?? []).map(definedTool)
      const offered = tools.list().map(({ name, description, parameters }) => ({
        name,
        description,
        ...defined({ input_schema: parameters }),
      }))
      const names = new Set(known.map(({ name }) => name))
      return { tools: [...known, ...offered.filter(({ name }) => !names.has(name))] }
    },
  ),
}

function executed(completion: RanTool['completion']) {
  if (completion === undefined)
    return { textResultForLlm: 'It was stopped.', resultType: 'failure', error: 'stopped' }
  const { success, result, error } = completion
  const text = result?.content ?? error?.message ?? ''
  if (success) return { textResultForLlm: text, resultType: 'success', sessionLog: text }
  const { code = 'failure', message } = error ?? {}
  const resultType = code === 'denied' || code === 'rejected' ? code : 'failure'
  return { textResultForLlm: text, resultType, ...defined({ error: message }) }
}

function answerOf(
  result: z.output<typeof answer> | undefined,
  error: string | undefined,
): ToolAnswer {
  if (result === undefined)
    return { text: NEUTRAL, detail: error ?? 'It gave no result.', outcome: 'failure' }
  if (typeof result === 'string') return { text: result, outcome: 'success' }
  const { textResultForLlm: text, resultType = 'success' } = result
  if (resultType === 'success') return { text, outcome: 'success' }
  const outcome =
    resultType === 'timeout' || resultType === 'denied' || resultType === 'rejected'
      ? resultType
      : 'failure'
  return { text: text === '' ? NEUTRAL : text, outcome, ...defined({ detail: result.error }) }
}

/** What the model reads of a tool that threw: what was thrown may tell what the model must not know. */
const NEUTRAL = 'The tool failed. What went wrong in it is not told here.'
