/**
 * A restore that is under way is written down before it begins, together with what it belongs to, and sealed: a
 * process that ends in the middle leaves the next one what it needs to take every step back, or to finish after the
 * moment that decided. An intent that this home did not write is set aside and not acted on.
 */
import { rmSync } from 'node:fs'
import { inSession } from '../format/paths.ts'
import { FsError, codeOf, isMissing } from '../fs/fs-error.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { withParent, lookAt } from './beneath-root.ts'
import type { Contents } from './contents.ts'
import { sameBytesLikely } from './file-state.ts'
import { type Journal } from './journal.ts'
import { isObject, parseEntry, type RestoreEntry } from './journal-entry.ts'
import { isStep, undoStep, type Step } from './restore-steps.ts'
import { STAGING } from './scan.ts'
import { openSealer } from './record-hmac.ts'

export type Restoring = {
  readonly fs: SessionFs
  readonly dir: string
  /** The root of the project; undefined where only what goes along with a restore is to be done. */
  readonly root: string | undefined
  readonly maxFileBytes: number
  readonly clock: () => Date
  readonly contents: Contents
  readonly journal: Journal
  /** False when another process has the right to write now: nothing is touched any more. */
  readonly mayGoOn?: (() => Promise<boolean>) | undefined
  /** Makes what goes along with a restore from what an intent tells of it. */
  readonly companionOf?: ((about: unknown) => Companion | undefined) | undefined
  /** Called before each change of the project; what it throws is a failure there. */
  readonly beforeStep?: ((step: string) => void) | undefined
}

/** What happens together with a restore of files, in one step: both or neither. */
export interface Companion {
  /** All that is needed to make it again after a crash. */
  readonly about: Readonly<Record<string, unknown>>
  /** It changes files of its own, so that it cannot do without an intent. */
  readonly hasFiles: boolean
  /** The moment at which all of it has happened. */
  decide(): Promise<void>
  hasHappened(): Promise<boolean>
  /** Takes back what `decide` did before the moment. Tells what was left alone, in words. */
  takeBack(): Promise<readonly string[]>
  /** What has to be written after the moment; harmless to repeat. `restore` is that of the project's files. */
  finish(restore: string | undefined): Promise<void>
}

export type Intent = {
  readonly id: string
  readonly root?: string
  readonly steps: readonly Step[]
  /** The line for the journal; absent when no file of the project is restored. */
  readonly entry?: RestoreEntry
  /** What the companion keeps. */
  readonly about?: Readonly<Record<string, unknown>>
}

export type Recovered = {
  /** What still stands in the way, in words. The intent is kept, and tried again. */
  readonly unsettled: readonly string[]
  /** What was settled otherwise than by taking it back, in words. */
  readonly told: readonly string[]
}

const NOTHING: Recovered = { unsettled: [], told: [] }

/** Finishes or takes back what a process could not end. */
export async function recoverRestore(restoring: Restoring): Promise<Recovered> {
  const read = await readIntent(restoring)
  if (read === undefined) {
    // An emptied intent, whose process ended before it was removed.
    await restoring.fs.remove(inSession(restoring.dir, 'restoreIntent'))
    return NOTHING
  }
  if (read === 'foreign') return { unsettled: [], told: [await setAside(restoring)] }
  const companion = read.about && restoring.companionOf?.(read.about)
  if (read.about !== undefined && companion === undefined)
    return { unsettled: ['an interrupted undo or redo waits to be settled'], told: [] }
  const isDone = companion
    ? await companion.hasHappened()
    : restoring.journal.entries.some((entry) => 'id' in entry && entry.id === read.id)
  if (isDone) {
    await finish(restoring, read, companion)
    return NOTHING
  }
  return takeBack(restoring, read, read.steps, companion)
}

/** Steps and companion, in the other order than they were done. */
export async function takeBack(
  restoring: Restoring,
  intent: Intent,
  steps: readonly Step[],
  companion: Companion | undefined,
): Promise<Recovered> {
  const own = (await companion?.takeBack()) ?? []
  const where = placeOf(restoring, intent)
  const files =
    where === undefined
      ? steps.length === 0
        ? NOTHING
        : {
            unsettled: [`${intent.root ?? ''} with what was moved there is not to be found`],
            told: [],
          }
      : await undoAll(restoring, where, intent, steps)
  if (files.unsettled.length === 0) await clear(restoring, intent)
  return { unsettled: files.unsettled, told: [...own, ...files.told] }
}

/** After the moment: the line of the journal, what the companion has to write, and nothing is left behind. */
export async function finish(
  restoring: Restoring,
  intent: Intent,
  companion: Companion | undefined,
): Promise<void> {
  const { journal } = restoring
  const { entry } = intent
  const isWritten = journal.entries.some((each) => 'id' in each && each.id === entry?.id)
  if (entry !== undefined && !isWritten) await journal.append(entry)
  await companion?.finish(entry?.id)
  await clear(restoring, intent)
}

/** The project may have been moved since: it is where the staging folder is. */
function placeOf({ root }: Restoring, intent: Intent): string | undefined {
  const roots = [intent.root, root].filter((each) => each !== undefined)
  const staging = STAGING + intent.id
  return roots.find((each) => existing(each, staging))
}

function existing(root: string, path: string): boolean {
  try {
    return lookAt(root, path) !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function undoAll(
  { contents }: Restoring,
  root: string,
  { id }: Intent,
  steps: readonly Step[],
): Promise<Recovered> {
  const unsettled: string[] = []
  const told: string[] = []
  for (const step of steps.toReversed()) {
    try {
      undoStep(root, STAGING + id, step)
    } catch (error) {
      const words = `${step.path}: ${errorText(error).replaceAll(HELD, '')}`
      const isLost = step.act === 'away' && !isKept(root, STAGING + id, step, contents)
      if (isOvertaken(error) && !isLost) told.push(`${words}. What is there now stays`)
      else unsettled.push(words)
    }
  }
  return { unsettled, told }
}

/** The user has put something else there since, or removed the folder: theirs stays. */
const isOvertaken = (error: unknown): boolean =>
  OVERTAKEN.has((error instanceof FsError ? error.code : codeOf(error)) ?? '')

const OVERTAKEN = new Set(['EEXIST', 'ENOTEMPTY', 'ENOENT'])

/** What was moved away is in the record too. A link is in the journal. */
function isKept(
  root: string,
  staging: string,
  { slot, seen, sha256 }: Step & { act: 'away' },
  contents: Contents,
): boolean {
  const moved = lookAt(root, `${staging}/${slot}`)
  if (moved === undefined || moved === 'special' || !sameBytesLikely(moved, seen)) return false
  return sha256 === undefined ? moved.type === 'link' : contents.has(sha256)
}

/** Descriptors that the way to a folder was held by mean nothing to people. */
const HELD = /\/proc\/self\/fd\/\d+\//g

async function clear(restoring: Restoring, intent: Intent): Promise<void> {
  const { fs, dir } = restoring
  const where = placeOf(restoring, intent)
  if (where !== undefined)
    withParent(where, STAGING + intent.id, (place) =>
      rmSync(place, { recursive: true, force: true }),
    )
  // Overwritten before it is removed: a removal may be undone by a power cut.
  await fs.writeAtomic(inSession(dir, 'restoreIntent'), encodeText('{}'), { durable: true })
  await fs.remove(inSession(dir, 'restoreIntent'))
}

/** Two lines: the seal, and what it seals. */
export async function writeIntent({ fs, dir }: Restoring, intent: Intent): Promise<void> {
  const text = JSON.stringify({ version: 2, ...intent })
  const seal = await (await openSealer(fs)).seal(aboutOf(dir), text)
  const bytes = encodeText(`${JSON.stringify({ seal })}\n${text}\n`)
  await fs.writeAtomic(inSession(dir, 'restoreIntent'), bytes, { durable: true })
}

const aboutOf = (dir: string): string => `restore ${dir}`

/** `foreign` when this home did not write it. */
export async function readIntent({
  fs,
  dir,
}: Pick<Restoring, 'fs' | 'dir'>): Promise<Intent | 'foreign' | undefined> {
  const bytes = await fs.read(inSession(dir, 'restoreIntent'))
  if (bytes === undefined) return undefined
  const whole = decodeText(bytes)
  if (whole === '{}') return undefined
  const [first = '', text = ''] = whole.split('\n')
  const seal = parsed(first)?.['seal']
  const { isSealed } = await openSealer(fs)
  const isOurs = typeof seal === 'string' && isSealed(aboutOf(dir), text, seal)
  const value = isOurs ? parsed(text) : undefined
  if (value === undefined) return 'foreign'
  const { id, root, steps, entry, about } = value
  if (typeof id !== 'string' || !Array.isArray(steps) || !steps.every(isStep)) return 'foreign'
  const line = entry === undefined ? undefined : parseEntry(JSON.stringify(entry))
  return {
    id,
    steps,
    ...defined({
      root: typeof root === 'string' ? root : undefined,
      entry: line?.kind === 'restore' ? line : undefined,
      about: isObject(about) ? about : undefined,
    }),
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    // It is written in one step: what is no JSON was not written by us.
    return undefined
  }
}

async function setAside({ fs, dir }: Restoring): Promise<string> {
  const [from, to] = [inSession(dir, 'restoreIntent'), inSession(dir, 'foreignIntent')]
  await fs.copy(from, to)
  await fs.remove(from)
  return `The session came with a restore of files that this home did not write. Nothing of it was done; it is kept as ${fs.nativePath(to)}`
}
