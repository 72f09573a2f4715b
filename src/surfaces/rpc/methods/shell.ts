/** Commands that a person or a program runs in the project of a session, without the agent. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import type { Event } from '../../../format/event.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import type { WireEvent } from '../wire.ts'

const DEFAULT_TIMEOUT_MS = 30_000

export const shellMethods: Methods = {
  'session.shell.exec': sessionMethod(
    'Runs a command beside the conversation. Its output and end are told to this client: `shell.output`, `shell.exit`.',
    {
      command: z.string().min(1),
      cwd: z.string().optional(),
      timeout: z.number().positive().optional().describe('In milliseconds; 30 seconds without it.'),
    },
    ({ id, ops, parts, shells }, { command, cwd = '.', timeout: timeoutMs }, { client }) => ({
      processId: shells.exec(client, {
        sessionId: id,
        command,
        cwd: resolve(ops.now?.cwd ?? parts.cwd, cwd),
        timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      }),
    }),
  ),
  'session.shell.kill': sessionMethod(
    'Ends such a command, with what it started.',
    { processId: z.string(), signal: z.enum(['SIGTERM', 'SIGKILL', 'SIGINT']).optional() },
    ({ shells }, { processId, signal = 'SIGTERM' }) => ({
      killed: shells.kill(processId, signal),
    }),
  ),
  'session.shell.executeUserRequested': sessionMethod(
    'Runs a command of the person: recorded, undone with its turn, and told to the agent with the next message.',
    { requestId: z.string().min(1), command: z.string().min(1) },
    async (session, { requestId, command }) => {
      if (session.userCommands.has(requestId)) {
        throw new EngineError(
          'conflict',
          `The command ${requestId} runs already. Nothing was done.`,
        )
      }
      session.userCommands.add(requestId)
      try {
        return await execute(session, command)
      } finally {
        session.userCommands.delete(requestId)
      }
    },
  ),
  'session.shell.cancelUserRequested': sessionMethod(
    'Ends such a command.',
    { requestId: z.string() },
    async ({ userCommands, ops }, { requestId }) => ({
      cancelled: userCommands.has(requestId) && (await ops.cancel({ queue: 'go-on' })),
    }),
  ),
}

type Completed = Extract<Event, { type: 'tool.execution_complete' }>['data']

async function execute(session: HostedSession, command: string) {
  const seen: Completed[] = []
  const listener = ({ type, data }: WireEvent) => {
    if (type === 'tool.execution_complete') seen.push(data as Completed)
  }
  session.listeners.add(listener)
  try {
    const call = { toolName: 'bash', arguments: { command } }
    const { toolCallId, status } = await session.ops.runTool(call, { whenBusy: 'wait' })
    const found = seen.find((each) => each.toolCallId === toolCallId)
    const output = found?.result?.content ?? ''
    const exitCode = found?.shellExecution?.exitCode
    const error = status === 'completed' ? found?.error?.message : 'The command was cancelled.'
    const success = status === 'completed' && found?.success === true && (exitCode ?? 0) === 0
    return { toolCallId, success, output, ...defined({ exitCode, error }) }
  } finally {
    session.listeners.delete(listener)
  }
}
