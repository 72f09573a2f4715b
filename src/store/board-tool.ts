/**
 * `context_board` for agents: what the next sessions of this repository should know. What the tool gives back is
 * quoted as untrusted; what an agent adds is marked as its own.
 */
import type { Board } from './board.ts'
import { BadEntry, type BoardScope } from './board-rules.ts'
import { quoteText } from './quote-text.ts'

export const BOARD_TOOL = {
  name: 'context_board',
  description:
    'Notes about this repository that later sessions are given at their start. add: keep something worth knowing ' +
    '(a convention, a command that works, a decision), in few words. list: what is there. prune: remove what is ' +
    'outdated, by name or by age.',
  schema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['add', 'list', 'prune'] },
      name: { type: 'string', description: 'A short title; the same title replaces its entry.' },
      content: { type: 'string', description: 'With add: what to know.' },
      description: {
        type: 'string',
        description: 'With add: when it matters, or where it is from.',
      },
      this_branch_only: { type: 'boolean', description: 'With add: not for other branches.' },
      older_than_days: { type: 'integer', minimum: 1, description: 'With prune.' },
    },
    required: ['action'],
    additionalProperties: false,
  },
} as const

const BY_PERSON = 'person'

/** `session`: the one in which the tool is called. */
type ToolScope = BoardScope & { readonly repository: string; readonly session?: string }

/** Arguments come from a model. Throws `BadEntry` with a sentence that it can act on. */
export async function runBoardTool(board: Board, place: ToolScope, args: unknown): Promise<string> {
  const given = (typeof args === 'object' && args !== null ? args : {}) as Record<string, unknown>
  const text = (name: string): string | undefined => {
    const value = given[name]
    if (value === undefined || typeof value === 'string') return value
    throw new BadEntry(`${name} has to be a text.`)
  }
  switch (given.action) {
    case 'add':
      return add(board, place, {
        name: text('name') ?? '',
        content: text('content') ?? '',
        description: text('description') ?? '',
        isOfBranch: given.this_branch_only === true,
      })
    case 'list':
      return list(board, place)
    case 'prune':
      return prune(board, place, text('name'), given.older_than_days)
    default:
      throw new BadEntry('action has to be add, list or prune.')
  }
}

async function add(
  board: Board,
  { repository, branch, session }: ToolScope,
  given: { name: string; content: string; description: string; isOfBranch: boolean },
): Promise<string> {
  const { isOfBranch, ...entry } = given
  const { name, count } = await board.add({
    ...entry,
    repository,
    src: 'agent',
    ...(session !== undefined && { sessions: [session] }),
    ...(isOfBranch && branch !== undefined && { branch }),
  })
  return count === 1 ? `Added "${name}".` : `Replaced "${name}".`
}

async function list(board: Board, place: ToolScope): Promise<string> {
  const entries = await board.list(place)
  if (entries.length === 0) return 'There is nothing on the board for this repository.'
  const text = entries.map(
    ({ name, src, branch, count, readCount, description, content }) =>
      `## ${name} (by ${src}${branch === '' ? '' : `, branch ${branch}`}, added ${count}, read ${readCount})\n${[description, content].filter(Boolean).join('\n')}`,
  )
  return quoteText({ source: 'context board', repository: place.repository }, text.join('\n\n'))
}

/** An agent takes back what agents put there; what people put there is theirs. */
async function prune(
  board: Board,
  place: ToolScope,
  name: string | undefined,
  days: unknown,
): Promise<string> {
  if (name === undefined && !Number.isSafeInteger(days)) {
    throw new BadEntry('prune wants a name, or older_than_days.')
  }
  if (name !== undefined) {
    const named = (await board.list(place)).filter((entry) => entry.name === name)
    const [own] = named.filter(({ src }) => src !== BY_PERSON)
    if (own !== undefined) {
      return `Removed ${(await board.remove(name, { ...place, src: own.src })).length}.`
    }
    throw new BadEntry(
      named.length === 0
        ? `There is no entry "${name}".`
        : `"${name}" was put there by a person and stays.`,
    )
  }
  const removed = await board.prune({ ...place, src: 'agent', olderThanDays: Number(days) })
  return `Removed ${removed.length}.`
}
