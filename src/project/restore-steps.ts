/**
 * A restore as single steps, each of which can be taken back by looking at what is there: the undo of a
 * list of steps need not know how many of them were done.
 */
import {
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { FsError, hasNoLinks } from '../fs/fs-error.ts'
import { isProjectPath, sameBytesLikely, type FileState, type Stamp } from './file-state.ts'
import { isObject } from './journal-entry.ts'
import type { RestoreItem } from './restore-plan.ts'
import { withParent, changeMode, lookAt, readTarget } from './beneath-root.ts'

export type Step =
  | {
      readonly act: 'mode'
      readonly path: string
      readonly type: 'file' | 'folder'
      readonly from: number
      readonly to: number
    }
  /** Into the staging folder; it must still be what was looked at. */
  | {
      readonly act: 'away'
      readonly path: string
      readonly slot: string
      readonly seen: Stamp
      /** The content of a file, which the record has. */
      readonly sha256?: string
    }
  | { readonly act: 'rmdir'; readonly path: string; readonly mode: number }
  | { readonly act: 'mkdir'; readonly path: string }
  /** Out of the staging folder; `ino` is that of the staged file. */
  | { readonly act: 'place'; readonly path: string; readonly slot: string; readonly ino: number }
  | { readonly act: 'link'; readonly path: string; readonly target: string }

/** A file of the staging folder that has to be written before. */
export type Staged = {
  readonly slot: string
  readonly path: string
  readonly state: FileState & { type: 'file' }
}

const OPEN = 0o700

/** In this order no step stands in the way of a later one. */
export function stepsFor(
  items: readonly (RestoreItem & { readonly seen: Stamp | undefined })[],
  inodes: ReadonlyMap<string, number>,
): Step[] {
  const open: Step[] = []
  const away: Step[] = []
  const rmdir: Step[] = []
  const mkdir: Step[] = []
  const place: Step[] = []
  const modes: Step[] = []
  for (const [index, { path, now, target, seen }] of items.entries()) {
    if (now?.type === 'folder') {
      const ready = (target?.type === 'folder' ? target.mode : now.mode) | OPEN
      if (ready !== now.mode)
        open.push({ act: 'mode', path, type: 'folder', from: now.mode, to: ready })
      if (target?.type !== 'folder') rmdir.unshift({ act: 'rmdir', path, mode: ready })
      else if (ready !== target.mode)
        modes.push({ act: 'mode', path, type: 'folder', from: ready, to: target.mode })
    }
    const ends = { now, target }
    if (isModeOnly(ends)) {
      modes.push({ act: 'mode', path, type: 'file', from: ends.now.mode, to: ends.target.mode })
      continue
    }
    if ((now?.type === 'file' || now?.type === 'link') && seen !== undefined) {
      const content = now.type === 'file' ? { sha256: now.sha256 } : {}
      away.push({ act: 'away', path, slot: `${index}.old`, seen, ...content })
    }
    if (target?.type === 'folder' && now?.type !== 'folder') {
      mkdir.push({ act: 'mkdir', path })
      mkdir.push({ act: 'mode', path, type: 'folder', from: OPEN, to: target.mode | OPEN })
      if ((target.mode | OPEN) !== target.mode) {
        modes.push({ act: 'mode', path, type: 'folder', from: target.mode | OPEN, to: target.mode })
      }
    }
    if (target?.type === 'link') place.push({ act: 'link', path, target: target.target })
    if (target?.type === 'file') {
      place.push({ act: 'place', path, slot: `${index}.new`, ino: inodes.get(path) ?? 0 })
    }
  }
  // Modes of inner folders first: an outer one may close the way.
  return [...open, ...away, ...rmdir, ...mkdir, ...place, ...modes.reverse()]
}

export const stagedFor = (items: readonly RestoreItem[]): Staged[] =>
  items.flatMap((item, index) =>
    item.target?.type === 'file' && !isModeOnly(item)
      ? [{ slot: `${index}.new`, path: item.path, state: item.target }]
      : [],
  )

type Ends = Pick<RestoreItem, 'now' | 'target'>
type FileEnd = FileState & { type: 'file' }

const isModeOnly = (ends: Ends): ends is { now: FileEnd; target: FileEnd } =>
  ends.now?.type === 'file' &&
  ends.target?.type === 'file' &&
  ends.now.sha256 === ends.target.sha256

export function doStep(root: string, staging: string, step: Step): void {
  const { path } = step
  if (step.act === 'mode') return changeMode(root, path, step.to)
  if (step.act === 'mkdir') return withParent(root, path, (place) => mkdirSync(place, OPEN))
  if (step.act === 'rmdir') return withParent(root, path, (place) => rmdirSync(place))
  if (step.act === 'link') return withParent(root, path, (place) => symlinkSync(step.target, place))
  if (step.act === 'place') {
    return withParent(root, `${staging}/${step.slot}`, (slot) =>
      withParent(root, path, (place) => give(slot, place)),
    )
  }
  move(root, path, `${staging}/${step.slot}`)
  const moved = lookAt(root, `${staging}/${step.slot}`)
  if (moved === undefined || moved === 'special' || !sameBytesLikely(moved, step.seen)) {
    throw new FsError('EBUSY', `${root}/${path}`, 'it was changed while it was restored')
  }
}

/** Takes back what is found done. Throws when something else is in the place of what has to return. */
export function undoStep(root: string, staging: string, step: Step): void {
  const { path } = step
  const look = lookAt(root, path)
  const stamp = look === 'special' ? undefined : look
  if (step.act === 'mode') {
    if (stamp?.type === step.type && stamp.mode === step.to) {
      changeMode(root, path, step.from)
    }
  } else if (step.act === 'away') {
    const slot = `${staging}/${step.slot}`
    if (lookAt(root, slot) === undefined) return
    if (look !== undefined) throw new FsError('EEXIST', `${root}/${path}`, 'the place is taken')
    move(root, slot, path)
  } else if (step.act === 'rmdir') {
    if (look !== undefined) return
    withParent(root, path, (place) => mkdirSync(place, OPEN))
    changeMode(root, path, step.mode)
  } else if (step.act === 'mkdir') {
    if (stamp?.type === 'folder') {
      withParent(root, path, (place) => rmdirSync(place))
    }
  } else if (isOurs(root, step, stamp)) {
    withParent(root, path, (place) => unlinkSync(place))
  }
}

function isOurs(
  root: string,
  step: Step & { act: 'place' | 'link' },
  stamp: Stamp | undefined,
): boolean {
  if (step.act === 'place') return stamp?.type === 'file' && stamp.ino === step.ino
  return stamp?.type === 'link' && readTarget(root, step.path) === step.target
}

const move = (root: string, from: string, to: string): void =>
  withParent(root, from, (source) => withParent(root, to, (target) => renameSync(source, target)))

/** A second name for the staged file: unlike a rename it never replaces what was put there meanwhile. */
function give(slot: string, place: string): void {
  try {
    linkSync(slot, place)
  } catch (error) {
    if (!hasNoLinks(error)) throw error
    const taken = lstatSync(place, { throwIfNoEntry: false })
    if (taken !== undefined) throw new FsError('EEXIST', place, 'the place is taken')
    renameSync(slot, place)
  }
}

/** Checks one step of a list that was stored. */
export function isStep(value: unknown): value is Step {
  if (!isObject(value) || !isProjectPath(value['path'])) return false
  const { act, slot } = value
  const isSlot = typeof slot === 'string' && /^\d+\.(?:old|new)$/.test(slot)
  const isMode = (mode: unknown) => typeof mode === 'number' && (mode & ~0o3777) === 0
  if (act === 'mode')
    return isMode(value['from']) && isMode(value['to']) && typeof value['type'] === 'string'
  if (act === 'rmdir') return isMode(value['mode'])
  if (act === 'link') return typeof value['target'] === 'string'
  if (act === 'away') return isSlot
  if (act === 'place') return isSlot && typeof value['ino'] === 'number'
  return act === 'mkdir'
}
