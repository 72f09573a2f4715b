/** Slash commands: those of the table, and those that clients offer. */
import { z } from 'zod'
import type { Command, CommandContext } from '../../../commands/command.ts'
import { listed } from '../../../commands/listed.ts'
import { tableWith } from '../../../commands/offered.ts'
import { typed } from '../../../commands/parse.ts'
import { isOffered, perform } from '../../../commands/perform.ts'
import { noServices } from '../../../commands/services.ts'
import { table } from '../../../commands/table.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod } from '../method.ts'
import type { Call, Methods } from '../method.ts'

const own = table.filter((command) => isOffered(command, {}))

const builtins = listed(own).map(({ name, aliases, summary, hint, words, takesText, command }) => ({
  name,
  ...(aliases.length > 0 && { aliases }),
  description: summary,
  kind: 'builtin',
  allowDuringAgentExecution: canRunDuringTurn(command),
  ...(hint !== '' && {
    input: {
      hint,
      ...(words.length > 0 && {
        choices: words.map(([word, description]) => ({ name: word, description })),
      }),
      ...(takesText && { preserveMultilineInput: true }),
    },
  }),
}))

function canRunDuringTurn({ changes }: Command): boolean {
  return changes !== 'conversation'
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
        ...(includeBuiltins ? builtins : []),
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
    async (session, { name, input = '' }, call) => {
      const text = await run(session, name, input, call)
      return text === '' ? { kind: 'completed' } : { kind: 'text', text, markdown: true }
    },
  ),
  'session.commands.execute': sessionMethod(
    'Runs a command.',
    { commandName: z.string().min(1), args: z.string().default('') },
    async (session, { commandName, args }, call) => {
      try {
        await run(session, commandName, args, call)
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

/** What the command says, in Markdown. */
async function run(
  session: HostedSession,
  name: string,
  input: string,
  { server, signal }: Call,
): Promise<string> {
  const { commands, engine, ops, services = noServices } = session
  const offered = commands.list().map(({ name: offeredName, description }) => ({
    name: offeredName,
    summary: description,
    pass: async (args: string) => {
      const error = await commands.run(offeredName, args, signal)
      if (error !== undefined) throw new EngineError('invalid', error)
      return ''
    },
  }))
  const context: CommandContext = {
    ...services,
    engine,
    cwd: ops.now?.cwd ?? server.parts.cwd,
    now: () => new Date(),
    table: tableWith(own, offered),
    session: async () => session.ops,
  }
  const wanted = typed(context.table, `/${name.replace(/^\//, '')} ${input}`)
  if ('message' in wanted) throw new EngineError('invalid', `There is no command "${name}".`)
  if (wanted.command.asksModel === true) await session.agent.ready()
  return (await perform(context, wanted)).said
}
