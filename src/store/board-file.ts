/**
 * The context board on disk: one small JSON file in the home. It is the board itself; `dynamic_context_items` in the
 * store is a copy to be queried, so that a store that is thrown away takes no note with it. Pure.
 */
import { homeFolder, inHome } from '../format/paths.ts'
import { errorText } from '../lib/error-text.ts'

/** Its own folder: a process that changes the board holds the lease of it. */
export const BOARD_FOLDER = homeFolder('board')
export const BOARD = inHome('board')
/** What sessions propose for it. */
export const PROPOSALS = inHome('proposals')

/** What makes an entry the same one. An empty branch stands for all branches of the repository. */
export type BoardKey = {
  /** `owner/name`, or the directory of a project without one. */
  readonly repository: string
  readonly branch: string
  /** Who put it there: a person, an agent, the end of a session. */
  readonly src: string
  readonly name: string
}

export type BoardEntry = BoardKey & {
  readonly description: string
  readonly content: string
  /** How often it was loaded into a session's context. */
  readonly readCount: number
  /** How often it was put there. */
  readonly count: number
  readonly addedAt: string
  readonly changedAt: string
  readonly readAt?: string
  /** The sessions that it came from, and nobody else: it goes when the last of them is forgotten. */
  readonly sessions?: readonly string[]
}

const VERSION = 1

export type ReadBoard = {
  readonly entries: readonly BoardEntry[]
  /** Why not all of the file could be read. */
  readonly problem?: string
}

export const printBoard = (entries: readonly BoardEntry[]): string =>
  `${JSON.stringify({ version: VERSION, entries }, null, 2)}\n`

export function parseBoard(text: string): ReadBoard {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { entries: [], problem: errorText(cause) }
  }
  const { version, entries } = fieldsOf(value)
  if (version !== VERSION || !Array.isArray(entries)) {
    return { entries: [], problem: `it is not a board of version ${VERSION}` }
  }
  const read = entries.flatMap((entry) => entryOf(fieldsOf(entry)) ?? [])
  const lost = entries.length - read.length
  return lost === 0
    ? { entries: read }
    : { entries: read, problem: `${lost} of its entries cannot be read` }
}

function entryOf(fields: Readonly<Record<string, unknown>>): BoardEntry | undefined {
  const { repository, branch, src, name, description, content } = fields
  const { readCount, count, addedAt, changedAt, readAt, sessions } = fields
  const texts = [repository, branch, src, name, description, content, addedAt, changedAt]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  if (!Number.isSafeInteger(readCount) || !Number.isSafeInteger(count)) return undefined
  const entry = { repository, branch, src, name, description, content, readCount, count }
  const times = { addedAt, changedAt, ...(typeof readAt === 'string' && { readAt }) }
  const isFromSessions = Array.isArray(sessions) && sessions.every((id) => typeof id === 'string')
  return { ...entry, ...times, ...(isFromSessions && { sessions }) } as BoardEntry
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
