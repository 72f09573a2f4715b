/** What a command of the table works with in the terminal: the session on the screen, and the screen itself. */
import { homedir } from 'node:os'
import type { Command, CommandContext } from '../../../commands/command.ts'
import { slash } from '../../../commands/fields.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import type { Message } from '../model/message.ts'
import type { TuiOptions } from '../options.ts'
import type { Conversation } from '../session/conversation.ts'
import type { CommandHost } from './command.ts'

/** Lets a program have the terminal for a while. */
export type Outside = <T>(work: () => Promise<T>) => Promise<T>

type ContextOptions = {
  readonly options: TuiOptions
  readonly host: CommandHost
  readonly conversation: Pick<Conversation, 'spokenTo' | 'live' | 'answerer'>
  readonly tell: (message: Message) => void
  readonly view: {
    readonly look?: NonNullable<CommandContext['look']>
    readonly quit: () => void
    readonly outside: Outside
  }
}

export function createCommandContext({
  options: { engine, cwd, now, env, past, permissions, agents, guests },
  host,
  conversation,
  tell,
  view: { look, quit, outside },
}: ContextOptions): CommandHost['context'] {
  /** Settings, and what is said to a turn, are for the session that will be, too. */
  async function idFor({ changes }: Command): Promise<SessionId> {
    const isForNew = changes === 'settings' || changes === 'turn'
    const id = isForNew ? await conversation.live() : conversation.spokenTo()
    if (id !== undefined) return id
    throw new EngineError('not_found', 'There is no session yet: send a message first.')
  }
  return (command, on): CommandContext => ({
    ...past,
    engine,
    cwd,
    now,
    call: slash,
    permissions,
    agents,
    guests,
    machine: { env, home: homedir() },
    logins: { open: async () => agents.logins(await conversation.answerer(), outside) },
    ...defined({ look }),
    table: host.table(),
    session: async () => engine.open(on ?? (await idFor(command))),
    working: (what) => tell({ kind: 'work', what }),
    view: {
      shown: host.session,
      open: (id) => host.open(id),
      write: host.write,
      copy: host.copy,
      quit,
    },
  })
}
