/** Slash commands: a few of ours, and those that clients offer. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { filesTold } from '../../../engine/time/rewound-words.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod } from '../method.ts'
import type { Methods } from '../method.ts'

type Builtin = {
  readonly description: string
  readonly hint?: string
  run(session: HostedSession, input: string): Promise<string>
}

const builtins: Readonly<Record<string, Builtin>> = {
  compact: {
    description: 'Put a summary in the place of earlier messages',
    hint: 'what it should keep',
    async run(session, instructions) {
      await session.agent.ready()
      const done = await session.ops.compact({
        ...(instructions !== '' && { instructions }),
      })
      return `${done.messagesRemoved} messages are now checkpoint ${done.checkpointNumber}.`
    },
  },
  rename: {
    description: 'Name the session',
    hint: 'the name',
    async run({ ops }, name) {
      await ops.save()
      return `The session is now called "${await ops.rename(name)}".`
    },
  },
  undo: {
    description: 'Take back the last turn and what it changed in files; redo brings it back',
    hint: '"conversation" to keep files',
    async run({ ops }, input) {
      const keepsFiles = /\bconversation\b/.test(input)
      const undone = await ops.undo(keepsFiles ? { mode: 'conversation' } : {})
      return `${undone.eventsRemoved} events were removed. ${filesTold(undone)}`
    },
  },
  redo: {
    description: 'Bring back what was removed last',
    async run({ ops }) {
      const redone = await ops.redo()
      return `${redone.eventsRestored} events are back. ${filesTold(redone)}`
    },
  },
}

export const commandMethods: Methods = {
  'session.commands.list': sessionMethod(
    'Commands that can be used.',
    {
      includeBuiltins: z.boolean().optional(),
      includeClientCommands: z.boolean().optional(),
    },
    ({ commands }, { includeBuiltins = true, includeClientCommands = true }) => ({
      commands: [
        ...(includeBuiltins
          ? Object.entries(builtins).map(([name, { description, hint }]) => ({
              name,
              description,
              kind: 'builtin',
              allowDuringAgentExecution: false,
              ...(hint !== undefined && { input: { hint } }),
            }))
          : []),
        ...(includeClientCommands
          ? commands.list().map(({ name, description }) => ({
              name,
              description,
              kind: 'client',
              allowDuringAgentExecution: true,
            }))
          : []),
      ],
    }),
  ),
  'session.commands.invoke': sessionMethod(
    'Runs a command and gives what it says.',
    { name: z.string().min(1), input: z.string().optional() },
    async (session, { name, input = '' }, { signal }) => {
      const builtin = builtinOf(name)
      if (builtin !== undefined) return { kind: 'text', text: await builtin.run(session, input) }
      await runOffered(session, name, input, signal)
      return { kind: 'completed' }
    },
  ),
  'session.commands.execute': sessionMethod(
    'Runs a command.',
    { commandName: z.string().min(1), args: z.string().default('') },
    async (session, { commandName, args }, { signal }) => {
      try {
        const builtin = builtinOf(commandName)
        if (builtin !== undefined) await builtin.run(session, args)
        else await runOffered(session, commandName, args, signal)
        return {}
      } catch (error) {
        if (error instanceof EngineError) return { error: error.message }
        throw error
      }
    },
  ),
  'session.commands.enqueue': sessionMethod(
    'Shows a command to the clients once nothing runs.',
    { command: z.string().min(1) },
    ({ commands, ops }, { command }) => {
      commands.enqueue(command)
      if (ops.now?.isRunning !== true) commands.next()
      return { queued: true }
    },
  ),
  'session.commands.respondToQueuedCommand': sessionMethod(
    'Says whether it was dealt with. The first answer counts.',
    {
      requestId: z.string(),
      result: z.looseObject({
        handled: z.boolean(),
        stopProcessingQueue: z.boolean().optional(),
      }),
    },
    ({ commands }, { requestId, result: { handled, stopProcessingQueue = false } }) => ({
      success: commands.respond(requestId, { handled, stop: stopProcessingQueue }),
    }),
  ),
  'session.commands.handlePendingCommand': sessionMethod(
    'Says how a command of the client ended.',
    { requestId: z.string(), error: z.string().optional() },
    ({ commands }, { requestId, error }) => ({ success: commands.answer(requestId, error) }),
  ),
}

const builtinOf = (name: string) => (Object.hasOwn(builtins, name) ? builtins[name] : undefined)

async function runOffered(
  { commands }: HostedSession,
  name: string,
  args: string,
  signal: AbortSignal,
): Promise<void> {
  const error = await commands.run(name, args, signal)
  if (error !== undefined) throw new EngineError('invalid', error)
}
