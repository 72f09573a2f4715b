/** A person wants something done in a session: may they, does its machine take commands, and then it is queued and told. */
import type { Control } from '../control.ts'
import { ControlError } from '../control-error.ts'
import { record } from '../people/audit.ts'
import type { Asker } from '../people/scopes.ts'
import { steerable } from '../sessions/grants.ts'
import { isOver } from '../tasks/tasks.ts'
import { queueCommand, type Command, type CommandWish } from './commands.ts'

const DEFAULT_SECONDS = 24 * 3600

type Wish = Pick<CommandWish, 'id' | 'kind' | 'content'> & { readonly seconds?: number | undefined }

export async function steer(
  control: Control,
  asker: Asker,
  id: string,
  { seconds = DEFAULT_SECONDS, ...wish }: Wish,
  { isSteerable = false } = {},
): Promise<Command> {
  const { db, now } = control
  const { session, kinds } = await steerable(db.query, asker, id)
  if (kinds !== 'all' && !kinds.includes(wish.kind))
    throw new ControlError(
      'forbidden',
      `Only its own person may do this here, or who was granted ${wish.kind}. Nothing was queued.`,
    )
  if (await isOver(db.query, asker.tenant, id))
    throw new ControlError(
      'conflict',
      `The task of this session is over, and no worker has it any more. Nothing was queued; "reprise remote take ${id}" goes on with it on a machine of yours.`,
    )
  if (session.steerable === 0 && !isSteerable)
    throw new ControlError(
      'conflict',
      'The machine of this session takes no commands. Nothing was queued.',
    )
  const { tenant, person, machine: origin } = asker
  const sent = { tenant, session: id, person, origin, ends: now() + seconds * 1000, ...wish }
  const command = await queueCommand(db, sent, now())
  const subject = `${id} ${command.id} ${command.kind}`
  await record(db.query, asker, { action: 'command.queued', subject }, now())
  control.moved(session)
  return command
}
