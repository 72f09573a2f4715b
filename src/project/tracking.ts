/**
 * What is known of a project while tool calls are watched, and how its files are looked at and their contents kept.
 * `read-tree.ts` makes everything known, `begin-call.ts` and `end-call.ts` tell what a call changed.
 */
import { foldersAround } from './file-state.ts'
import type { Baseline } from './baseline.ts'
import type { Contents } from './contents.ts'
import type { GitContents } from './git-contents.ts'
import type { Journal } from './journal.ts'
import { observe, type Known } from './observe.ts'
import { keepChange, keepTree } from './quota.ts'
import { scanTree, type Scan, type ScanLimits } from './scan.ts'

export type Tracking = {
  readonly root: string
  readonly skip: ReadonlySet<string>
  readonly limits: ScanLimits & { readonly waitMs: number }
  readonly clock: () => Date
  readonly baseline: Baseline
  readonly contents: Contents
  readonly git: GitContents
  readonly journal: Journal
  /** Contents that running calls were seen to need. */
  readonly held: Set<string>
  latest: Scan | undefined
  /** By what git's packs were known when all that they have was last looked for. */
  gitMark: string
}

export async function scan(tracking: Tracking): Promise<Scan> {
  const { root, limits, skip, baseline } = tracking
  tracking.latest = await scanTree(root, { ...limits, skip, reference: baseline.known.reference() })
  return tracking.latest
}

export function see(
  { root, limits, baseline, contents, git, journal, held }: Tracking,
  path: string,
  purpose: 'change' | 'tree',
): Promise<Known | undefined> {
  const keep = async (sha256: string, bytes: Uint8Array): Promise<string | undefined> => {
    const kept = { contents, journal, known: baseline.known, held }
    const blob = purpose === 'tree' && !contents.has(sha256) ? git.find(bytes) : undefined
    if (blob !== undefined) return blob
    if (!contents.mayKeep(bytes)) return undefined
    if (purpose === 'change') held.add(sha256)
    await orNamed((purpose === 'change' ? keepChange : keepTree)(sha256, bytes, kept))
    return undefined
  }
  const prior = baseline.known.get(path)
  return observe(root, path, { maxFileBytes: limits.maxFileBytes, prior, keep })
}

/** Contents first: what is known to be there must not be missing later. */
export async function save({ contents, baseline }: Tracking): Promise<void> {
  await orNamed(contents.tree.flush())
  await baseline.save()
}

export const intoRecord = ({ contents }: Tracking, sha256: string, survives: boolean) =>
  orNamed(contents.record(sha256, { survives }))

export function noteBlob({ git }: Tracking, known: Known | undefined): void {
  if (known?.state.type === 'file' && known.blob !== undefined)
    git.note(known.state.sha256, known.blob)
}

/** Known, or covered by the last scan and not there. */
export function isSettled({ baseline }: Tracking, path: string): boolean {
  if (baseline.known.get(path) !== undefined) return true
  const { uncovered } = baseline
  if (uncovered === undefined || baseline.pending.has(path)) return false
  return !['', ...foldersAround(path), path].some((each) => uncovered.has(each))
}

/** A full disk must not stop a tool: what could not be kept is named when it is asked for. */
export const orNamed = async (keeping: Promise<unknown>): Promise<void> => {
  await keeping.catch(() => {}) // as said above
}
