/** Slash commands: those of the table, of the agent, of the user's files, and those that clients offer. */
import { z } from 'zod'
import type { Command, CommandContext } from '../../../commands/command.ts'
import { slash } from '../../../commands/fields.ts'
import { listed, type Listed } from '../../../commands/command-list.ts'
import { tableWith, type Offered } from '../../../commands/offered.ts'
import { isOffered, perform } from '../../../commands/perform.ts'
import { readTyped } from '../../../commands/read-typed.ts'
import { noServices } from '../../../commands/services.ts'
import { table } from '../../../commands/table.ts'
import { userCommandsOf } from '../../../commands/user-commands.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { HostedSession } from '../hosted-session.ts'
import { method, sessionMethod, type Call, type Methods } from '../method.ts'

const own = table.filter((command) => isOffered(command, {}))

const infoOf = ({ name, aliases, summary, hint, words, takesText, command }: Listed) => ({
  name,
  ...(aliases.length > 0 && { aliases }),
  description: summary,
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
})

function canRunDuringTurn({ changes }: Command): boolean {
  return changes !== 'conversation'
}

export const commandMethods: Methods = {
  'commands.list': method('The commands of ours, which every session has.', () => ({
    commands: listed(own).map((each) => ({ ...infoOf(each), kind: 'builtin' })),
  })),
  'session.commands.list': sessionMethod(
    "Commands that can be used: ours, the agent's, those of the user's files and of clients.",
    {
      includeBuiltins: z.boolean().optional(),
      includeSkills: z.boolean().optional(),
      includeClientCommands: z.boolean().optional(),
    },
    async (session, { includeBuiltins = true, includeSkills = true, ...given }, { signal }) => {
      const { includeClientCommands = true } = given
      const agents = includeBuiltins ? await session.agentCommands.list(session.ops, signal) : []
      const files = includeSkills ? await ofUser(session) : []
      const client = session.commands.list()
      const skills = new Set(files.map(({ name }) => name))
      return {
        commands: [
          ...listed(tableWith(includeBuiltins ? own : [], [...agents, ...files])).map((each) => ({
            ...infoOf(each),
            kind: each.command.message !== undefined && skills.has(each.name) ? 'skill' : 'builtin',
          })),
          ...(includeClientCommands
            ? client.map(({ name, description }) => ({
                name,
                description,
                kind: 'client',
                allowDuringAgentExecution: true,
              }))
            : []),
        ],
      }
    },
  ),
  'session.commands.invoke': sessionMethod(
    'Runs a command and gives what it says, or the message that it is for the agent.',
    { name: z.string().min(1), input: z.string().optional() },
    async (session, { name, input = '' }, call) => {
      const done = await run(session, name, input, call)
      if ('message' in done)
        return {
          kind: 'agent-prompt',
          prompt: done.message,
          displayPrompt: lineOf(name, input),
        }
      const { said: text } = done
      return text === '' ? { kind: 'completed' } : { kind: 'text', text, markdown: true }
    },
  ),
  'session.commands.finalizeInvocationEffect': sessionMethod(
    'Takes note that a client has done with what a command gave it. Commands have had their effect by then.',
    { effect: z.looseObject({}), outcome: z.string() },
    () => ({ success: true }),
  ),
  'session.commands.execute': sessionMethod(
    'Runs a command.',
    { commandName: z.string().min(1), args: z.string().default('') },
    async (session, { commandName, args }, call) => {
      try {
        const done = await run(session, commandName, args, call)
        if ('message' in done)
          await session.ops.send(
            { prompt: done.message, displayPrompt: lineOf(commandName, args) },
            { whenBusy: 'enqueue' },
          )
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

const lineOf = (name: string, input: string) => `/${name.replace(/^\//, '')} ${input}`.trimEnd()

const ofUser = ({ engine, ops, services }: HostedSession): Promise<readonly Offered[]> =>
  // A client that owns the files of its sessions has its own home.
  services === undefined ? Promise.resolve([]) : userCommandsOf(engine, ops)

/** What the command says, in Markdown; or the message that it is for the agent. */
async function run(
  session: HostedSession,
  name: string,
  input: string,
  { server, signal }: Call,
): Promise<{ readonly said: string } | { readonly message: string }> {
  const { commands, engine, ops, services = noServices } = session
  const ofClients = commands.list().map(({ name: offeredName, description }) => ({
    name: offeredName,
    summary: description,
    pass: async (args: string) => {
      const error = await commands.run(offeredName, args, signal)
      if (error !== undefined) throw new EngineError('invalid', error)
      return ''
    },
  }))
  const { known, given } = await readTyped(lineOf(name, input), [
    () => tableWith(own, ofClients),
    async () => {
      const ofAgent = await session.agentCommands.list(ops, signal)
      return tableWith(own, [...ofClients, ...ofAgent, ...(await ofUser(session))])
    },
  ])
  if ('message' in given) return given
  const context: CommandContext = {
    ...services,
    engine,
    cwd: ops.now?.cwd ?? server.parts.cwd,
    now: () => new Date(),
    call: slash,
    table: known,
    session: async () => session.ops,
  }
  if (given.command.asksModel === true) await session.agent.ready()
  return perform(context, given)
}
