/**
 * Carries out a plan as a whole or not at all. Everything that is needed is written into a staging folder of
 * the project first; what is replaced is moved there and not deleted; a failure takes every step back. An
 * intent beside the journal lets the next process do the same after a crash. No link is ever followed.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeAll } from '../fs/write-all.ts'
import { errorText } from '../lib/error-text.ts'
import { kindOf } from './describe.ts'
import { sameState, type Stamp } from './file-state.ts'
import type { FileChange } from './journal.ts'
import { observe } from './observe.ts'
import { clear, recoverRestore, undoAll, writeIntent, type Restoring } from './restore-intent.ts'
import type { RestoreItem, RestorePlan } from './restore-plan.ts'
import { doStep, stagedFor, stepsFor, type Staged, type Step } from './restore-steps.ts'
import { STAGING } from './scan.ts'
import { at, syncNames } from './beneath-root.ts'

/** Named as in the Copilot SDK's result of a rewind. Paths are absolute. */
export type RestoreResult = {
  readonly outcome: 'success' | 'session-busy' | 'files-rolled-back' | 'rollback-incomplete'
  readonly restoredFiles: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
  /** Of the restore in the journal; absent when nothing was changed. */
  readonly id?: string
  readonly error?: string
}

export type SkippedFile = {
  readonly path: string
  readonly reason: 'user-modified' | 'skipped-capture'
}

export async function applyRestore(
  restoring: Restoring,
  plan: RestorePlan,
): Promise<RestoreResult> {
  const unsettled = await recoverRestore(restoring)
  if (unsettled.length > 0) return incomplete(unsettled)
  const { ready, late } = await lookAgain(restoring, plan)
  const skippedFiles = skippedOf(restoring.root, [...plan.items, ...late])
  if (ready.length === 0) return { outcome: 'success', restoredFiles: [], skippedFiles }
  const id = randomUUID()
  const staging = STAGING + id
  const done: Step[] = []
  try {
    await writeIntent(restoring, { id, steps: [] })
    const inodes = await stage(restoring, staging, stagedFor(ready))
    const steps = stepsFor(ready, inodes)
    await writeIntent(restoring, { id, steps })
    for (const step of steps) {
      restoring.beforeStep?.(`${step.act} ${step.path}`)
      // These two can tell afterwards whether they happened, and may fail half-way.
      if (step.act === 'away' || step.act === 'place') done.push(step)
      doStep(restoring.root, staging, step)
      if (step.act !== 'away' && step.act !== 'place') done.push(step)
    }
    for (const folder of foldersOf(steps)) syncNames(restoring.root, folder)
    restoring.beforeStep?.('record')
    await record(restoring, id, plan, ready)
  } catch (error) {
    const left = undoAll(restoring.root, staging, done)
    if (left.length === 0) await clear(restoring, staging)
    const reason = errorText(error)
    return {
      outcome: left.length === 0 ? 'files-rolled-back' : 'rollback-incomplete',
      restoredFiles: [],
      skippedFiles,
      error:
        left.length === 0
          ? reason
          : `${reason}; ${left.join('; ')}. What was there is in ${join(restoring.root, staging)}`,
    }
  }
  await clear(restoring, staging)
  const restoredFiles = ready.filter(isFile).map(({ path }) => join(restoring.root, path))
  return { outcome: 'success', restoredFiles, skippedFiles, id }
}

const incomplete = (unsettled: readonly string[]): RestoreResult => ({
  outcome: 'rollback-incomplete',
  restoredFiles: [],
  skippedFiles: [],
  error: `An earlier restore could not be taken back: ${unsettled.join('; ')}. Nothing was changed`,
})

type Ready = RestoreItem & { readonly seen: Stamp | undefined }

/** Time has passed since the plan was made and read. What is replaced is kept, so that redo can bring it back. */
async function lookAgain(
  { root, maxFileBytes, contents }: Restoring,
  plan: RestorePlan,
): Promise<{ ready: Ready[]; late: RestoreItem[] }> {
  const ready: Ready[] = []
  const late: RestoreItem[] = []
  for (const item of plan.items) {
    if (item.verdict !== 'restore') continue
    const known = await observe(root, item.path, {
      maxFileBytes,
      keep: async (sha256, bytes) => {
        if (contents.recorded().has(sha256)) return
        await contents.put(sha256, bytes)
        await contents.record(sha256, { survives: true })
      },
    })
    if (sameState(known?.state ?? null, item.now)) ready.push({ ...item, seen: known?.seen })
    else late.push({ ...item, verdict: 'drifted' })
  }
  return { ready, late }
}

async function stage(
  { root, contents, beforeStep }: Restoring,
  staging: string,
  files: readonly Staged[],
): Promise<Map<string, number>> {
  const inodes = new Map<string, number>()
  beforeStep?.('staging')
  at(root, staging, (place) => mkdirSync(place, 0o700))
  for (const { slot, path, state } of files) {
    beforeStep?.(`stage ${path}`)
    const bytes = await contents.get(state.sha256)
    if (bytes === undefined) throw new Error(`The content of ${path} is damaged or gone`)
    inodes.set(
      path,
      at(root, `${staging}/${slot}`, (place) => writeStaged(place, bytes, state.mode)),
    )
  }
  return inodes
}

function writeStaged(place: string, bytes: Uint8Array, mode: number): number {
  const fd = openSync(place, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    writeAll(fd, place, [bytes], 0)
    fchmodSync(fd, mode)
    fdatasyncSync(fd)
    return fstatSync(fd).ino
  } finally {
    closeSync(fd)
  }
}

async function record(
  { journal, clock }: Restoring,
  id: string,
  { direction, of }: RestorePlan,
  items: readonly Ready[],
): Promise<void> {
  const changes = items.map(({ path, now, target, linesAdded, linesRemoved }): FileChange => ({
    path,
    kind: kindOf(now, target),
    before: now,
    after: target,
    // The other way round than what is taken back.
    linesAdded: linesRemoved,
    linesRemoved: linesAdded,
  }))
  const at = clock().toISOString()
  const entry = { version: 1, kind: 'restore', id, direction, at, changes } as const
  await journal.append(of === undefined ? entry : { ...entry, of })
}

function foldersOf(steps: readonly Step[]): Set<string> {
  const parents = steps.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))
  return new Set(parents)
}

const isFile = ({ now, target }: Pick<RestoreItem, 'now' | 'target'>): boolean =>
  (now !== null && now.type !== 'folder') || (target !== null && target.type !== 'folder')

/** Of one path the last verdict counts. Folders are kept without a word: their files are named. */
function skippedOf(root: string, items: readonly RestoreItem[]): SkippedFile[] {
  const skipped = new Map<string, SkippedFile>()
  for (const item of items) {
    if (!isFile(item)) continue
    const path = join(root, item.path)
    if (item.verdict === 'drifted') skipped.set(path, { path, reason: 'user-modified' })
    if (item.verdict === 'notCovered') skipped.set(path, { path, reason: 'skipped-capture' })
  }
  return [...skipped.values()]
}
