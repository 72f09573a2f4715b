/**
 * Carries out a plan as a whole or not at all, together with the change of the log that it belongs to. Everything that
 * is needed is written into a staging folder of the project first; what is replaced is moved there and not deleted; a
 * failure takes every step back. An intent beside the journal lets the next process do the same after a crash. No link
 * is ever followed.
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
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { sameState, type Stamp } from './file-state.ts'
import { observe } from './observe.ts'
import {
  finish,
  recoverRestore,
  takeBack,
  writeIntent,
  type Companion,
  type Intent,
  type Restoring,
} from './restore-intent.ts'
import { asChange, type RestoreItem, type RestorePlan } from './restore-plan.ts'
import { doStep, stagedFor, stepsFor, type Staged, type Step } from './restore-steps.ts'
import { STAGING } from './scan.ts'
import { withParent, syncNames } from './beneath-root.ts'

/** Named as in the Copilot SDK's result of a rewind. Paths are absolute. */
export type RestoreResult = {
  readonly outcome: 'success' | 'session-busy' | 'files-rolled-back' | 'rollback-incomplete'
  readonly restoredFiles: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
  /** The id of the restore in the journal; absent when nothing was changed. */
  readonly id?: string
  readonly error?: string
}

export type SkippedFile = {
  readonly path: string
  readonly reason: 'user-modified' | 'skipped-capture'
}

/** With a companion both happen, or neither; without one the line of the journal decides. */
export async function applyRestore(
  restoring: Restoring,
  plan: RestorePlan,
  companion?: Companion,
): Promise<RestoreResult> {
  const { unsettled } = await recoverRestore(restoring)
  if (unsettled.length > 0) return incomplete(unsettled)
  const { ready, late } = await lookAgain(restoring, plan)
  const skippedFiles = skippedOf(restoring, [...plan.items, ...late])
  if (ready.length === 0 && companion?.hasFiles !== true) {
    await companion?.decide()
    await companion?.finish(undefined)
    return { outcome: 'success', restoredFiles: [], skippedFiles }
  }
  const intent = intentOf(restoring, plan, ready, companion)
  const failure = await carryOut(restoring, intent, ready, companion)
  if (failure !== undefined) return { ...failure, skippedFiles }
  // What has been decided stays so: if this fails, the next opening finishes it.
  await finish(restoring, intent, companion).catch(() => {})
  return {
    outcome: 'success',
    restoredFiles: ready.filter(isFile).map(({ path }) => fullPath(restoring, path)),
    skippedFiles,
    ...defined({ id: intent.entry?.id }),
  }
}

/** Up to the moment that decides. Undefined when it has come; otherwise all is as it was. */
async function carryOut(
  restoring: Restoring,
  intent: Intent,
  ready: readonly Ready[],
  companion: Companion | undefined,
): Promise<Omit<RestoreResult, 'skippedFiles'> | undefined> {
  const { root } = restoring
  const done: Step[] = []
  try {
    await writeIntent(restoring, intent)
    if (root !== undefined && ready.length > 0)
      await moveAll({ ...restoring, root }, intent, ready, done)
    restoring.beforeStep?.('record')
    if (companion !== undefined) await companion.decide()
    else if (intent.entry !== undefined) await restoring.journal.append(intent.entry)
    return undefined
  } catch (error) {
    if ((await restoring.mayGoOn?.()) === false) throw error
    // The log was changed, and then something failed: the next opening finishes what has happened.
    if ((await companion?.hasHappened()) === true) throw error
    const { unsettled } = await takeBack(restoring, intent, done, companion)
    const reason = errorText(error)
    if (unsettled.length === 0)
      return { outcome: 'files-rolled-back', restoredFiles: [], error: reason }
    const kept = `What was there is in ${fullPath(restoring, STAGING + intent.id)}`
    return {
      outcome: 'rollback-incomplete',
      restoredFiles: [],
      error: `${reason}; ${unsettled.join('; ')}. ${kept}`,
    }
  }
}

/** Everything is staged first, and the steps are written down before the first is done. */
async function moveAll(
  restoring: Restoring & { readonly root: string },
  intent: Intent,
  ready: readonly Ready[],
  done: Step[],
): Promise<void> {
  const { root } = restoring
  const staging = STAGING + intent.id
  const inodes = await stage(restoring, staging, stagedFor(ready))
  const steps = stepsFor(ready, inodes)
  await writeIntent(restoring, { ...intent, steps })
  const goOn = pacedCheck(restoring)
  for (const step of steps) {
    await goOn()
    restoring.beforeStep?.(`${step.act} ${step.path}`)
    // These two can tell afterwards whether they happened, and may fail half-way.
    if (step.act === 'away' || step.act === 'place') done.push(step)
    doStep(root, staging, step)
    if (step.act !== 'away' && step.act !== 'place') done.push(step)
  }
  for (const folder of foldersOf(steps)) syncNames(root, folder)
}

/** A process that was frozen may have been overtaken: it is asked again after every pause that is long enough. */
function pacedCheck({ mayGoOn }: Restoring): () => Promise<void> {
  let last = performance.now()
  return async () => {
    const now = performance.now()
    if (mayGoOn === undefined || now - last < PAUSE_MS) return
    last = now
    if (!(await mayGoOn())) throw new Error('another process has the session now')
  }
}

const PAUSE_MS = 200

function intentOf(
  { root, clock }: Restoring,
  { direction, of }: RestorePlan,
  ready: readonly Ready[],
  companion: Companion | undefined,
): Intent {
  const id = randomUUID()
  const at = clock().toISOString()
  const entry = { version: 1, kind: 'restore', id, direction, ...defined({ of }), at } as const
  return {
    id,
    steps: [],
    ...defined({
      root,
      about: companion?.about,
      entry: ready.length === 0 ? undefined : { ...entry, changes: ready.map(asChange) },
    }),
  }
}

const fullPath = ({ root }: Restoring, path: string): string => join(root ?? '', path)

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
    if (item.verdict !== 'restore' || root === undefined) continue
    let isKept = true
    const known = await observe(root, item.path, {
      maxFileBytes,
      keep: async (sha256, bytes) => {
        if (contents.recorded().has(sha256)) return
        isKept = contents.mayKeep(bytes)
        if (!isKept) return
        await contents.put(sha256, bytes)
        await contents.record(sha256, { survives: true })
      },
    })
    // What redo could not bring back is not taken away either.
    if (!isKept) late.push({ ...item, verdict: 'notCovered' })
    else if (sameState(known?.state ?? null, item.now)) ready.push({ ...item, seen: known?.seen })
    else late.push({ ...item, verdict: 'drifted' })
  }
  return { ready, late }
}

async function stage(
  { root, contents, beforeStep }: Restoring & { readonly root: string },
  staging: string,
  files: readonly Staged[],
): Promise<Map<string, number>> {
  const inodes = new Map<string, number>()
  beforeStep?.('staging')
  withParent(root, staging, (place) => mkdirSync(place, 0o700))
  for (const { slot, path, state } of files) {
    beforeStep?.(`stage ${path}`)
    const bytes = await contents.get(state.sha256)
    if (bytes === undefined) throw new Error(`The content of ${path} is damaged or gone`)
    inodes.set(
      path,
      withParent(root, `${staging}/${slot}`, (place) => writeStaged(place, bytes, state.mode)),
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

function foldersOf(steps: readonly Step[]): Set<string> {
  const parents = steps.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))
  return new Set(parents)
}

const isFile = ({ now, target }: Pick<RestoreItem, 'now' | 'target'>): boolean =>
  (now !== null && now.type !== 'folder') || (target !== null && target.type !== 'folder')

/** The last verdict on a path counts. Folders are kept without a word: their files are named. */
function skippedOf(restoring: Restoring, items: readonly RestoreItem[]): SkippedFile[] {
  const skipped = new Map<string, SkippedFile>()
  for (const item of items) {
    if (!isFile(item)) continue
    const path = fullPath(restoring, item.path)
    if (item.verdict === 'drifted') skipped.set(path, { path, reason: 'user-modified' })
    if (item.verdict === 'notCovered') skipped.set(path, { path, reason: 'skipped-capture' })
  }
  return [...skipped.values()]
}
