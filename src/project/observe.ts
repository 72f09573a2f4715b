/**
 * Finds out what stands at one path of the project and keeps its content. A file is read until it holds still
 * while it is read, so what is kept was really its content at one moment.
 */
import { codeOf } from '../fs/fs-error.ts'
import { defined } from '../lib/defined.ts'
import {
  isYoung,
  sameBytesLikely,
  sameStamp,
  type FileState,
  type Stamp,
  type UncoveredReason,
} from './file-state.ts'
import { sha256Of } from './sha256.ts'
import { isBarred, lookAt, readInside, readTarget } from './beneath-root.ts'

export type Known = {
  readonly state: FileState
  readonly seen: Stamp
  /** So young when it was read that a later change may have left the same stamp: it is read again. */
  readonly isYoung: boolean
  /** The name under which the project's git repository has this content, where it is not kept by us. */
  readonly blob?: string
}

/** Answers with the name of the blob, where git has it and it is not kept. */
type Keep = (sha256: string, bytes: Uint8Array) => Promise<string | undefined>

type Observing = {
  readonly maxFileBytes: number
  /** What was known before; spares reading when nothing was written since. */
  readonly prior?: Known | undefined
  readonly keep: Keep
}

const ATTEMPTS = 4

/** Undefined when nothing is there. */
export async function observe(
  root: string,
  path: string,
  { maxFileBytes, prior, keep }: Observing,
): Promise<Known | undefined> {
  const startedMs = Date.now()
  const look = lookAt(root, path)
  if (look === undefined) return undefined
  if (look === 'special') return unknown('special', NOTHING)
  if (look.type === 'folder') return known({ type: 'folder', mode: look.mode }, look, startedMs)
  if (prior !== undefined && !prior.isYoung && sameStamp(prior.seen, look)) return prior
  if (look.type === 'link') return observeLink(root, path, look, startedMs)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = await readOnce(root, path, look, { maxFileBytes, prior, keep })
    if (result !== 'moving') return result
  }
  return unknown('unread', look)
}

function observeLink(root: string, path: string, look: Stamp, startedMs: number) {
  try {
    const target = readTarget(root, path)
    return target === undefined
      ? unknown('name', look)
      : known({ type: 'link', target }, look, startedMs)
  } catch (error) {
    if (isBarred(error)) return undefined
    return unknown('unread', look)
  }
}

async function readOnce(
  root: string,
  path: string,
  look: Stamp,
  { maxFileBytes, prior, keep }: Observing,
): Promise<Known | undefined | 'moving'> {
  const startedMs = Date.now()
  let read: Awaited<ReturnType<typeof readInside>>
  try {
    read = await readInside(root, path, maxFileBytes)
  } catch (error) {
    const isClosed = codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
    if (!isClosed || prior?.state.type !== 'file' || !sameBytesLikely(prior.seen, look)) {
      return unknown('unreadable', look)
    }
    // Only its mode went: what was read before is still its content.
    const { blob } = prior
    return { ...known({ ...prior.state, mode: look.mode }, look, startedMs), ...defined({ blob }) }
  }
  if (read === undefined) return lookAt(root, path) === undefined ? undefined : 'moving'
  if (read === 'large') return unknown('large', look)
  const { bytes, before, after } = read
  if (!sameStamp(before, after) || bytes.length !== after.size) return 'moving'
  const sha256 = sha256Of(bytes)
  const blob = await keep(sha256, bytes)
  const state = { type: 'file', sha256, size: bytes.length, mode: after.mode } as const
  return { ...known(state, after, startedMs), ...defined({ blob }) }
}

const NOTHING: Stamp = {
  type: 'file',
  size: 0,
  mode: 0,
  ino: 0,
  mtimeMs: 0,
  ctimeMs: 0,
  birthMs: 0,
}

const unknown = (reason: UncoveredReason, seen: Stamp): Known => ({
  state: { type: 'unknown', reason },
  seen,
  isYoung: true,
})

const known = (state: FileState, seen: Stamp, startedMs: number): Known => ({
  state,
  seen,
  isYoung: state.type !== 'folder' && isYoung(seen, startedMs),
})
