/** Commands that others offer, in one table with ours: the session's agent, connected clients, files of the user. */
import { z } from 'zod'
import type { Session } from '../engine/session.ts'
import { defined } from '../lib/defined.ts'
import { objectsOf } from '../lib/fields.ts'
import { command, type Command } from './command.ts'
import { namesOf } from './fields.ts'

export type Offered = {
  readonly name: string
  readonly summary: string
  /** What may follow its name. */
  readonly hint?: string | undefined
  /** It comes from a file of the user. */
  readonly isOfUser?: true
  /** It comes with a project, which its user may never have looked at: its file, its text, and a hash of both. */
  readonly ofProject?: { readonly file: string; readonly text: string; readonly digest: string }
  /** What runs it; without it a message goes to the agent: this one, or the text as it is. */
  readonly pass?: (input: string) => Promise<string>
  readonly message?: (input: string) => string
}

/** The first of two with one name counts: ours, unless theirs go first. */
export function tableWith(
  own: readonly Command[],
  offered: readonly Offered[],
  { first }: { readonly first: 'ours' | 'theirs' } = { first: 'ours' },
): readonly Command[] {
  const theirs = offered.map(commandOf)
  const names = (table: readonly Command[]) => new Set(table.flatMap(namesOf))
  if (first === 'ours') {
    const taken = names(own)
    return [...own, ...theirs.filter(({ name }) => !taken.has(name))]
  }
  const taken = names(theirs)
  const isFree = ({ name }: Command) => !taken.has(name) && !taken.has(name.split(' ', 1)[0] ?? '')
  return [...own.filter(isFree), ...theirs]
}

const asTyped = (_input: string, text: string): string => text

const commandOf = ({ name, summary, hint = 'what it is given', pass, message }: Offered): Command =>
  command({
    name,
    summary,
    changes: 'conversation',
    on: 'session',
    args: z.object({ input: z.string().optional().describe(hint) }),
    words: ['input…'],
    ...defined({ message: pass === undefined ? (message ?? asTyped) : undefined }),
    run: async (_context, { input = '' }) => (await pass?.(input)) ?? '',
    say: (said) => said,
  })

/** What `commands.changed` lists. */
export const offeredByAgent = (
  commands: readonly Readonly<Record<string, unknown>>[],
): readonly Offered[] =>
  commands.flatMap(({ name, description, input }) => {
    if (typeof name !== 'string') return []
    const hint = (input as { hint?: unknown } | null | undefined)?.hint
    return [
      {
        name,
        summary: typeof description === 'string' ? description : 'offered by the agent',
        ...(typeof hint === 'string' && { hint }),
      },
    ]
  })

/** How long an agent that comes up has for telling its commands. */
const LONGEST_WAIT_MS = 3000

/** Has the agent come up and tell its commands. None when it has no protocol of its own. */
export async function askAgent(session: Session, ending: AbortSignal): Promise<readonly Offered[]> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(LONGEST_WAIT_MS)])
  const feed = session.follow({ fromNow: true, signal })
  // From here on nothing is missed.
  await feed.next()
  if (!(await session.startAgent(ending))) return []
  for await (const item of feed)
    if (item.kind === 'notice' && item.notice.type === 'commands.changed')
      return offeredByAgent(objectsOf(item.notice.data.commands))
  return []
}
