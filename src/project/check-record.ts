/** Whether what a session recorded of files is as it was written: the journal, the contents it names, what is known. */
import { layout } from '../format/layout.ts'
import { inSession, readName, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Fault } from '../lib/fault.ts'
import { counted } from '../lib/quantities.ts'
import { baselineLines } from './baseline-file.ts'
import { damagedIn, leaveOut } from './collect-contents.ts'
import { indexPath, listPacks } from './home-contents.ts'
import { openJournal, type Journal } from './journal.ts'
import { QUOTA_BYTES } from './record.ts'
import { lookAtSealKey } from './record-hmac.ts'
import { sha256Of } from './sha256.ts'
import { readTree, treeOf } from './shared-trees.ts'

export async function* checkRecord(fs: SessionFs, dir: string): AsyncGenerator<Fault> {
  const journal = await openJournal(fs, dir)
  yield* ofJournal(journal, inSession(dir, 'changes'))
  yield* ofContents(fs, dir, journal)
  yield* ofBaseline(fs, dir)
  yield* ofPacks(fs, dir)
}

/** Leaves out what is derived and damaged. The caller has the right to write to the session. */
export async function mendRecord(fs: SessionFs, dir: string): Promise<void> {
  for await (const { kind } of ofBaseline(fs, dir))
    if (kind === 'derived') await fs.remove(inSession(dir, 'baseline'))
  for (const pack of await ownPacks(fs, dir)) {
    const { damaged } = await damagedIn(fs, pack)
    if (damaged.size > 0) await leaveOut(fs, pack, (sha256) => !damaged.has(sha256))
  }
}

export async function* checkSealKey(fs: SessionFs, path: string): AsyncGenerator<Fault> {
  const checked = await lookAtSealKey(fs)
  if (checked === 'absent') yield { path, kind: 'unchecked', problem: 'has no hash' }
  if (checked === 'wrong')
    yield {
      path,
      kind: 'damaged',
      problem: 'is not as it was written: undo and redo take what this home recorded for another’s',
    }
}

function* ofJournal(
  { damaged, gaps, missing, unchecked, foreign }: Journal,
  path: string,
): Generator<Fault> {
  const fault = (problem: string): Fault => ({ path, kind: 'damaged', problem })
  for (const { number, paths } of damaged) {
    const about = paths.length === 0 ? '' : ` (of ${paths.slice(0, MOST_NAMED).join(', ')})`
    yield fault(`is not as it was written in line ${number}${about}; nothing is done by that line`)
  }
  for (const { number } of gaps) yield fault(`lacks what stood before line ${number}`)
  if (missing > 0)
    yield fault(
      `is cut: the last ${counted(missing, 'line')} at least ${missing === 1 ? 'is' : 'are'} gone`,
    )
  if (foreign.length > 0)
    yield {
      path,
      kind: 'foreign',
      problem: `has ${counted(foreign.length, 'line')} that this home did not write: nothing is done by them`,
    }
  if (unchecked > 0)
    yield { path, kind: 'unchecked', problem: `has ${counted(unchecked, 'line')} without a check` }
}

const MOST_NAMED = 3

async function* ofContents(fs: SessionFs, dir: string, journal: Journal): AsyncGenerator<Fault> {
  const found = new Set<string>()
  for (const { name: xx, kind } of await fs.list(sessionFolder(dir, 'content'))) {
    if (kind !== 'folder') continue
    for (const { name: sha256 } of await fs.list(`${sessionFolder(dir, 'content')}/${xx}`)) {
      if (readName(layout.session.content, sha256) === undefined) continue
      const path = inSession(dir, 'content', { xx, sha256 })
      const bytes = await fs.read(path)
      found.add(sha256)
      if (bytes !== undefined && sha256Of(bytes) === sha256) continue
      yield {
        path,
        kind: 'damaged',
        problem: 'is not as it was written: that content cannot come back',
      }
    }
  }
  const needed = neededBy(journal)
  const bytes = [...needed.values()].reduce((sum, size) => sum + size, 0)
  // Nearer to the quota older ones make room for newer ones.
  if (bytes > QUOTA_BYTES / 2) return
  for (const sha256 of needed.keys()) {
    if (found.has(sha256)) continue
    const path = inSession(dir, 'content', { xx: sha256.slice(0, 2), sha256 })
    yield { path, kind: 'damaged', problem: 'is gone: that content cannot come back' }
  }
}

/** Contents that were with the record when their line was written, with their sizes. */
function neededBy({ entries }: Journal): Map<string, number> {
  const needed = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind !== 'tool' || entry.unkept === undefined) continue
    for (const state of entry.changes.flatMap(({ before, after }) => [before, after]))
      if (state?.type === 'file' && !entry.unkept.includes(state.sha256))
        needed.set(state.sha256, state.size)
  }
  return needed
}

async function* ofBaseline(fs: SessionFs, dir: string): AsyncGenerator<Fault> {
  const path = inSession(dir, 'baseline')
  const lines = [...baselineLines((await fs.read(path)) ?? new Uint8Array())]
  const wrong = lines.filter(({ checked }) => checked === 'wrong').length
  if (wrong > 0)
    yield {
      path,
      kind: 'derived',
      problem: `is not as it was written in ${counted(wrong, 'line')}: these files are read from the project again`,
    }
  const isUnchecked = ({ checked, text }: (typeof lines)[number]) =>
    checked === 'absent' && !text.startsWith('{"tree":')
  if (lines.some(isUnchecked))
    yield { path, kind: 'unchecked', problem: 'has lines without a check' }
  const [first] = lines
  if (first?.checked !== 'absent' || !first.text.startsWith('{"tree"')) return
  const tree = await treeOf(fs, dir)
  if (tree !== undefined && (await readTree(fs, tree)) !== undefined) return
  yield {
    path,
    kind: 'derived',
    problem: 'begins with a tree that is damaged or gone: the project is read again',
  }
}

async function* ofPacks(fs: SessionFs, dir: string): AsyncGenerator<Fault> {
  for (const pack of await ownPacks(fs, dir)) {
    const { damaged, contents } = await damagedIn(fs, pack)
    const are = damaged.size === 1 ? 'is' : 'are'
    if (damaged.size > 0)
      yield {
        path: indexPath(pack),
        kind: 'derived',
        problem: `names ${counted(contents, 'content')}, of which ${damaged.size} ${are} not as written: read from the project again`,
      }
  }
}

/** Those that this session has written. */
const ownPacks = async (fs: SessionFs, dir: string) => {
  const owner = dir.slice(dir.lastIndexOf('/') + 1)
  return (await listPacks(fs)).filter((pack) => pack.owner === owner)
}
