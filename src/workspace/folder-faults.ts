/** Why a folder cannot be used as a session, or a part of it not: links, pipes and files in the wrong place, closed doors. */
import type { SessionId } from '../format/ids.ts'
import { OWN, logPath, sessionDir } from '../format/paths.ts'
import { codeOf } from '../fs/fs-error.ts'
import type { Entry, SessionFs } from '../fs/session-fs.ts'
import { errorText } from '../lib/error-text.ts'
import { FILES, RESEARCH } from './files.ts'

/** A session that is left out, and why. */
export type UnusableSession = { readonly id: SessionId; readonly reason: string }

/** Undefined when nothing keeps the session from being opened. A missing folder or log is no fault. */
export async function folderFault(fs: SessionFs, id: SessionId): Promise<string | undefined> {
  const dir = sessionDir(id)
  try {
    return (
      (await folderIn(fs, dir, 'its folder')) ??
      (await fileIn(fs, logPath(dir), 'events.jsonl')) ??
      (await folderIn(fs, `${dir}/${OWN}`, `${OWN} in its folder`))
    )
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause
    return errorText(cause)
  }
}

/** Those of these that cannot be used. */
export async function unusableAmong(
  fs: SessionFs,
  ids: Iterable<SessionId>,
): Promise<UnusableSession[]> {
  const unusable: UnusableSession[] = []
  for (const id of ids) {
    const reason = await folderFault(fs, id)
    if (reason !== undefined) unusable.push({ id, reason })
  }
  return unusable
}

/** What does not keep it from being opened: folders of the person's files, and of checkpoints, that are none. */
export async function partFaults(fs: SessionFs, dir: string): Promise<readonly string[]> {
  const faults: string[] = []
  for (const name of [FILES, RESEARCH, 'checkpoints']) {
    const fault = await folderIn(fs, `${dir}/${name}`, name).catch(errorText)
    if (fault !== undefined) faults.push(fault)
  }
  return faults
}

const KINDS: Record<Entry['kind'], string> = {
  file: 'a file',
  folder: 'a folder',
  other: 'a link, a pipe or a device',
}

async function folderIn(fs: SessionFs, path: string, name: string): Promise<string | undefined> {
  const kind = (await fs.stat(path))?.kind
  if (kind === undefined) return undefined
  if (kind !== 'folder') return `${name} is ${KINDS[kind]}, not a folder`
  return refusalOf(() => fs.list(path), name)
}

async function fileIn(fs: SessionFs, path: string, name: string): Promise<string | undefined> {
  const kind = (await fs.stat(path))?.kind
  if (kind === undefined) return undefined
  if (kind !== 'file') return `${name} is ${KINDS[kind]}, not a file`
  return refusalOf(async () => (await fs.openRead(path))?.close(), name)
}

async function refusalOf(
  action: () => Promise<unknown>,
  name: string,
): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause
    return `${name} cannot be read (${errorText(cause)})`
  }
}
