/**
 * Keeps the session's copies within their quota. What goes first: contents that neither the journal nor the
 * present tree names; then those of the oldest tool calls, so that the latest turns can always be taken back.
 */
import type { Contents } from './contents.ts'
import type { Absent, FileState } from './file-state.ts'
import type { Journal } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Known } from './observe.ts'

/** The whole tree may fill so much of the quota; the rest is for what agents write. */
const TREE_SHARE = 0.75

/** Some room is made beyond what is needed, so that not every write has to look for it. */
const SLACK_SHARE = 0.05

type Kept = {
  readonly contents: Contents
  readonly journal: Journal
  readonly known: Iterable<[string, Known]>
  /** Contents of a call whose line is not written yet. */
  readonly held: ReadonlySet<string>
}

/** Keeps a content for the record. False when there is no room even without older ones. */
export async function keepChange(sha256: string, bytes: Uint8Array, kept: Kept): Promise<boolean> {
  const { contents } = kept
  if (contents.has(sha256)) return true
  if (!(await hasRoom(bytes.length, kept))) return false
  await contents.put(sha256, bytes)
  return true
}

/** Keeps a content of the tree. */
export async function keepTree(sha256: string, bytes: Uint8Array, kept: Kept): Promise<boolean> {
  const { contents } = kept
  if (contents.has(sha256)) return true
  if (!isWithinShare(bytes.length, contents)) return false
  if (!(await hasRoom(bytes.length, kept))) return false
  await contents.tree.add(sha256, bytes)
  return true
}

/** There is room for a content of the tree without removing another. */
export const fitsTree = (size: number, contents: Contents): boolean =>
  isWithinShare(size, contents) && contents.bytes + size <= contents.quotaBytes

const isWithinShare = (size: number, { tree, quotaBytes }: Contents): boolean =>
  tree.bytes + size <= quotaBytes * TREE_SHARE

/** So much of its share that it is worth a look for what is outdated. */
export const isTreeFull = ({ tree, quotaBytes }: Contents): boolean =>
  tree.bytes >= quotaBytes * TREE_SHARE * 0.5

async function hasRoom(neededBytes: number, kept: Kept): Promise<boolean> {
  const { contents } = kept
  if (contents.bytes + neededBytes <= contents.quotaBytes) return true
  await makeRoom(neededBytes, kept)
  return contents.bytes + neededBytes <= contents.quotaBytes
}

async function makeRoom(
  neededBytes: number,
  { contents, journal, known, held }: Kept,
): Promise<void> {
  const target = contents.quotaBytes * (1 - SLACK_SHARE) - neededBytes
  const inTree = new Set(hashesOf(Array.from(known, ([, { state }]) => state)))
  const lastNamed = new Map<string, number>()
  for (const [index, entry] of journal.entries.entries()) {
    for (const sha256 of hashesInEntry(entry)) lastNamed.set(sha256, index)
  }
  const waiting = [...contents.recorded().keys()]
    // A content of the tree that is packed as well can go from here.
    .filter((sha256) => !held.has(sha256) && (!inTree.has(sha256) || contents.tree.has(sha256)))
    .map((sha256) => ({ sha256, age: lastNamed.get(sha256) ?? -1 }))
    .sort((one, other) => one.age - other.age)
  for (const { sha256 } of waiting) {
    if (contents.bytes <= target) return
    await contents.remove(sha256)
  }
}

const hashesInEntry = (entry: JournalEntry): string[] =>
  hashesOf(entry.changes.flatMap(({ before, after }) => [before, after]))

export function hashesOf(states: Iterable<FileState | Absent>): string[] {
  const hashes: string[] = []
  for (const state of states) if (state?.type === 'file') hashes.push(state.sha256)
  return hashes
}
