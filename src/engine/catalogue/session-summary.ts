/**
 * What a list tells of one session without replaying it: workspace.yaml, and the head of the log for
 * what the file does not say. Fails only where the log cannot be read: a broken workspace.yaml, or what is wrong beside
 * the log, is the business of resume and doctor.
 */
import type { SessionId } from '../../format/ids.ts'
import type { WorkspaceFile } from '../../format/workspace-file.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { defined } from '../../lib/defined.ts'
import { preview } from '../../state/preview.ts'
import { readForkOrigin } from '../../workspace/fork-origin.ts'
import { readImportNote } from '../../workspace/imported.ts'
import { metadataFromLog, readMetadata } from '../../workspace/metadata.ts'
import { readRepositoryKey } from '../../workspace/repository-key.ts'
import type { SessionSummary } from './catalogue-row.ts'
import { orNothing } from './catalogue-file.ts'
import { readLogHead, type LogHead } from './log-head.ts'
import { OWN, logPath } from '../../format/paths.ts'
import { remoteKey } from '../../lib/git-remote.ts'
import { countTurns } from './turn-count.ts'

/** A session's log as it was found. */
type SessionStamp = { readonly id: SessionId; readonly bytes: number; readonly modifiedAt: string }

export async function readSummary(
  fs: SessionFs,
  dir: string,
  place: SessionStamp,
): Promise<SessionSummary> {
  const [own] = await fs.statMany([`${dir}/${OWN}`])
  const [metadata, head, forkedFrom, note] = await Promise.all([
    orNothing(() => readMetadata(fs, dir)),
    readLogHead(fs, logPath(dir), place.bytes),
    own && orNothing(() => readForkOrigin(fs, dir)),
    own && orNothing(() => readImportNote(fs, dir)),
  ])
  const file = metadata && 'file' in metadata ? metadata.file : rebuilt(place, head)
  const importedFrom = note?.title
  return {
    id: place.id,
    ...namesOf(file),
    userNamed: file.user_named ?? false,
    summary: preview(head.firstPrompt ?? file.name ?? head.firstCommand ?? ''),
    ...(await whereabouts(fs, dir, file)),
    createdAt: file.created_at ?? createdAt(place, head),
    ...defined({ turns: head.turns ?? (await orNothing(() => countTurns(fs, dir, place.bytes))) }),
    checkpoints: file.summary_count ?? 0,
    forkCount: file.fork_count ?? 0,
    ...defined({ forkedFrom, importedFrom, agent: head.agent }),
    modifiedAt: place.modifiedAt,
    bytes: place.bytes,
  }
}

const rebuilt = (place: SessionStamp, head: LogHead): WorkspaceFile =>
  metadataFromLog({
    id: place.id,
    ...defined({ project: head.start?.data.context, words: head.firstPrompt }),
    checkpoints: 0,
    createdAt: createdAt(place, head),
    updatedAt: place.modifiedAt,
  })

const createdAt = ({ modifiedAt }: SessionStamp, { start }: LogHead): string =>
  start?.data.startTime ?? modifiedAt

const namesOf = ({ name, client_name }: WorkspaceFile) => ({
  ...defined({ name, clientName: client_name }),
})

async function whereabouts(fs: SessionFs, dir: string, file: WorkspaceFile) {
  const { cwd, git_root: gitRoot, repository, host_type: hostType, branch } = file
  const repositoryKey = await keyOf(fs, dir, file)
  return {
    ...defined({ cwd, gitRoot, repository, repositoryKey, branch, hostType }),
  }
}

async function keyOf(
  fs: SessionFs,
  dir: string,
  { git_root, repository, host_type }: WorkspaceFile,
): Promise<string | undefined> {
  if (repository !== undefined) {
    return remoteKey(repository, host_type)
  }
  return git_root === undefined ? undefined : orNothing(() => readRepositoryKey(fs, dir))
}
