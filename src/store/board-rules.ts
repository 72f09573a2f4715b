/** What adding, pruning and loading mean for the entries of a board. Pure: times come in. */
import { defined } from '../lib/defined.ts'
import { estimateTokens } from '../state/token-estimate.ts'
import type { BoardEntry, BoardKey } from './board-file.ts'
import { quoteText } from './quote-text.ts'
import { clean } from './text.ts'

export class BadEntry extends Error {
  override readonly name = 'BadEntry'
}

export type NewEntry = Pick<BoardEntry, 'repository' | 'src' | 'name' | 'content'> &
  Partial<Pick<BoardEntry, 'branch' | 'description' | 'sessions'>>

export type BoardScope = {
  readonly repository?: string
  /** With it: entries of this branch and of all branches. */
  readonly branch?: string
  readonly src?: string
}

export type PruneLimits = BoardScope & {
  /** Neither put there nor loaded for so long. */
  readonly olderThanDays?: number
  /** How many stay, the most used first. */
  readonly keep?: number
  /** How much text stays, the most used first. */
  readonly maxBytes?: number
}

const LONGEST = { name: 100, src: 40, description: 300, repository: 500, branch: 250 } as const
const LONGEST_CONTENT = 8 * 1024
const MOST_ENTRIES = 1000

/** The same entry again takes the place of the old one and counts one more. */
export function withEntry(
  entries: readonly BoardEntry[],
  given: NewEntry,
  at: string,
): { readonly entries: readonly BoardEntry[]; readonly entry: BoardEntry } {
  const added = checked(given)
  const index = entries.findIndex((entry) => isSame(entry, added))
  const old = entries[index]
  if (old === undefined && entries.length >= MOST_ENTRIES) {
    throw new BadEntry(
      `The board is full (${MOST_ENTRIES} entries). "reprise board prune" makes room.`,
    )
  }
  const entry: BoardEntry = {
    ...added,
    readCount: old?.readCount ?? 0,
    count: (old?.count ?? 0) + 1,
    addedAt: old?.addedAt ?? at,
    changedAt: at,
    ...defined({ readAt: old?.readAt, sessions: originOf(old, given) }),
  }
  return {
    entry,
    entries: old === undefined ? [...entries, entry] : entries.with(index, entry),
  }
}

/** What a person wrote, too, is the person's. */
function originOf(old: BoardEntry | undefined, { sessions }: NewEntry) {
  if (old === undefined || sessions === undefined) return sessions
  return old.sessions && [...new Set([...old.sessions, ...sessions])]
}

/** Without what came from these sessions alone. */
export const withoutSessions = (
  entries: readonly BoardEntry[],
  gone: ReadonlySet<string>,
): readonly BoardEntry[] =>
  entries.flatMap((entry) => {
    if (entry.sessions === undefined) return isAcceptedFrom(entry, gone) ? [] : [entry]
    const sessions = entry.sessions.filter((id) => !gone.has(id))
    return sessions.length === 0 ? [] : [{ ...entry, sessions }]
  })

/** Earlier versions named the session in the description alone. */
function isAcceptedFrom({ description }: BoardEntry, gone: ReadonlySet<string>): boolean {
  const [, begin] = /^From session ([0-9a-f]{8})[,.]/.exec(description) ?? []
  return begin !== undefined && [...gone].some((id) => id.startsWith(begin))
}

function checked(
  given: NewEntry,
): Omit<BoardEntry, 'readCount' | 'count' | 'addedAt' | 'changedAt'> {
  const { repository, branch = '', src, name, description = '', content } = given
  const lines = { repository, branch, src, name, description }
  const flat = Object.fromEntries(
    Object.entries(lines).map(([field, text]) => [field, clean(text.replace(/\s+/g, ' ').trim())]),
  ) as typeof lines
  for (const [field, limit] of Object.entries(LONGEST)) {
    if (flat[field as keyof typeof LONGEST].length > limit) {
      throw new BadEntry(`The ${field} of an entry has at most ${limit} characters.`)
    }
  }
  const text = clean(content.trim())
  if (flat.repository === '' || flat.src === '' || flat.name === '' || text === '') {
    throw new BadEntry('An entry of the board wants a repository, a source, a name and a content.')
  }
  if (text.length > LONGEST_CONTENT) {
    throw new BadEntry(
      `An entry of the board has at most ${LONGEST_CONTENT} characters. Nothing was added.`,
    )
  }
  return { ...flat, content: text }
}

export const isSame = (a: BoardKey, b: BoardKey): boolean =>
  a.repository === b.repository && a.branch === b.branch && a.src === b.src && a.name === b.name

export const isIn = (entry: BoardKey, { repository, branch, src }: BoardScope): boolean =>
  (src === undefined || entry.src === src) &&
  (repository === undefined || entry.repository.toLowerCase() === repository.toLowerCase()) &&
  (branch === undefined || entry.branch === '' || entry.branch === branch)

/** Entries outside the scope are left alone. */
export function pruned(
  entries: readonly BoardEntry[],
  limits: PruneLimits,
  now: Date,
): { readonly kept: readonly BoardEntry[]; readonly removed: readonly BoardEntry[] } {
  const { olderThanDays = Infinity, keep = Infinity, maxBytes = Infinity } = limits
  const oldest = now.getTime() - olderThanDays * DAY_MS
  let [count, bytes] = [0, 0]
  const staying = new Set<BoardEntry>()
  for (const entry of entries.filter((one) => isIn(one, limits)).sort(mostUsedFirst)) {
    if (Date.parse(lastUse(entry)) < oldest) continue
    const size = bytesOf(entry)
    if (count + 1 > keep || bytes + size > maxBytes) continue
    count += 1
    bytes += size
    staying.add(entry)
  }
  const stays = (entry: BoardEntry) => staying.has(entry) || !isIn(entry, limits)
  return { kept: entries.filter(stays), removed: entries.filter((entry) => !stays(entry)) }
}

const DAY_MS = 86_400_000

const lastUse = ({ changedAt, readAt }: BoardEntry): string =>
  readAt !== undefined && readAt > changedAt ? readAt : changedAt

const bytesOf = ({ name, description, content }: BoardEntry): number =>
  Buffer.byteLength(name) + Buffer.byteLength(description) + Buffer.byteLength(content)

const mostUsedFirst = (a: BoardEntry, b: BoardEntry): number =>
  b.count + b.readCount - (a.count + a.readCount) || compare(lastUse(b), lastUse(a))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

type Loaded = { readonly text: string; readonly entries: readonly BoardEntry[] }

/**
 * What a new session is told, within a budget: what is about its branch first, then what was confirmed most often.
 * Undefined when nothing fits.
 */
export function contextOf(
  entries: readonly BoardEntry[],
  { repository, branch = '' }: BoardScope & { readonly repository: string },
  tokenBudget: number,
): Loaded | undefined {
  const ranked = entries
    .filter((entry) => isIn(entry, { repository, branch }))
    .sort(
      (a, b) =>
        Number(b.branch !== '') - Number(a.branch !== '') ||
        b.count - a.count ||
        compare(b.changedAt, a.changedAt),
    )
  const attributes = { source: 'context board', repository, branch: branch || undefined }
  const chosen: BoardEntry[] = []
  let text = ''
  for (const entry of ranked) {
    const longer = text === '' ? shown(entry) : `${text}\n\n${shown(entry)}`
    if (estimateTokens(quoteText(attributes, longer)) > tokenBudget) continue
    text = longer
    chosen.push(entry)
  }
  if (chosen.length === 0) return undefined
  return { text: quoteText(attributes, text), entries: chosen }
}

const shown = ({ name, src, branch, description, content }: BoardEntry): string =>
  [
    `## ${name} (by ${src}${branch === '' ? '' : `, branch ${branch}`})`,
    ...(description === '' ? [] : [description]),
    content,
  ].join('\n')
