/**
 * What sessions learned and nobody has decided on yet: one small JSON file beside the board. It also keeps what was
 * decided, so that nothing that was taken or dismissed is proposed again. Pure.
 */
import { createHash } from 'node:crypto'
import type { BoardEntry } from './board-file.ts'
import { isIn, type BoardScope, type NewEntry } from './board-rules.ts'

export type Proposal = Required<Omit<NewEntry, 'sessions'>> & {
  /** The same for the same words about the same repository, whichever session says them. */
  readonly id: string
  /** Those that propose it. */
  readonly sessions: readonly string[]
  readonly proposedAt: string
}

export type Proposals = {
  readonly open: readonly Proposal[]
  /** The ids of what was accepted or dismissed, the newest last. */
  readonly decided: readonly string[]
}

export const NO_PROPOSALS: Proposals = { open: [], decided: [] }

const VERSION = 1
const MOST_OPEN = 200
/** The last of what it says: a person has to read them all. */
const MOST_OF_SESSION = 12
const MOST_DECIDED = 2000

/**
 * What a session proposes now. What it alone proposed before and does not any more is withdrawn: a turn that was taken
 * back, or a session that was deleted, leaves nothing behind.
 */
export function withProposalsOf(
  before: Proposals,
  session: string,
  entries: readonly NewEntry[],
  { board, at }: { readonly board: readonly BoardEntry[]; readonly at: string },
): Proposals {
  const decided = new Set(before.decided)
  const undecided = entries
    .map((entry) => proposalOf(entry, session, at))
    .filter(({ id }) => !decided.has(id))
    .filter((proposal) => !board.some((entry) => saysTheSame(entry, proposal)))
    .slice(-MOST_OF_SESSION)
  const fresh = new Map(undecided.map((proposal) => [proposal.id, proposal]))
  const kept = before.open.flatMap((proposal): Proposal[] => {
    const others = proposal.sessions.filter((id) => id !== session)
    const again = fresh.delete(proposal.id)
    if (again && others.length < proposal.sessions.length) return [proposal]
    if (again) return [{ ...proposal, sessions: [...others, session] }]
    return others.length === 0 ? [] : [{ ...proposal, sessions: others }]
  })
  return { ...before, open: [...kept, ...fresh.values()].slice(-MOST_OPEN) }
}

/** Without what these sessions alone proposed. */
export const withoutProposalsOf = (before: Proposals, gone: ReadonlySet<string>): Proposals => ({
  ...before,
  open: before.open.flatMap((proposal) => {
    const sessions = proposal.sessions.filter((id) => !gone.has(id))
    return sessions.length === 0 ? [] : [{ ...proposal, sessions }]
  }),
})

/** Takes proposals off the list for good. */
export function decide(before: Proposals, ids: ReadonlySet<string>): Proposals {
  const decided = [...before.decided.filter((id) => !ids.has(id)), ...ids]
  return {
    open: before.open.filter(({ id }) => !ids.has(id)),
    decided: decided.slice(-MOST_DECIDED),
  }
}

/** Without what a person has put on the board in the same words since. */
export const openIn = (
  { open }: Proposals,
  scope: BoardScope,
  board: readonly BoardEntry[],
): readonly Proposal[] =>
  open.filter(
    (proposal) => isIn(proposal, scope) && !board.some((entry) => saysTheSame(entry, proposal)),
  )

const saysTheSame = (entry: BoardEntry, proposal: Proposal): boolean =>
  entry.repository.toLowerCase() === proposal.repository.toLowerCase() &&
  (entry.branch === '' || entry.branch === proposal.branch) &&
  plain(entry.content) === plain(proposal.content)

function proposalOf(entry: NewEntry, session: string, proposedAt: string): Proposal {
  const { repository, branch = '', src, name, description = '', content } = entry
  const words = [repository.toLowerCase(), branch, plain(content)].join('\0')
  const id = createHash('sha256').update(words).digest('hex').slice(0, 8)
  const whole = { repository, branch, src, name, description, content }
  return { id, ...whole, sessions: [session], proposedAt }
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

export const printProposals = ({ open, decided }: Proposals): string =>
  `${JSON.stringify({ version: VERSION, open, decided }, null, 2)}\n`

/** Undefined when it cannot be read. */
export function parseProposals(text: string): Proposals | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // It counts as none, and is put aside before a new one is written.
    return undefined
  }
  const { version, open, decided } = (value ?? {}) as Record<string, unknown>
  if (version !== VERSION || !Array.isArray(open) || !Array.isArray(decided)) return undefined
  if (!open.every(isProposal) || !decided.every((id) => typeof id === 'string')) return undefined
  return { open, decided }
}

const TEXTS = ['id', 'repository', 'branch', 'src', 'name', 'description', 'content', 'proposedAt']

function isProposal(value: unknown): value is Proposal {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  return (
    TEXTS.every((field) => typeof fields[field] === 'string') &&
    Array.isArray(fields.sessions) &&
    fields.sessions.every((id) => typeof id === 'string')
  )
}
