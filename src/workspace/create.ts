/**
 * The folder of a new session. workspace.yaml comes last: a folder with it is complete. Doing it again
 * changes nothing but workspace.yaml, so a creation that was interrupted is simply repeated.
 */
import type { WorkspaceFile } from '../format/workspace-file.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { createCheckpoints } from './checkpoints.ts'
import { FILES, RESEARCH } from './files.ts'
import { writeMetadata, type MetadataFields } from './metadata.ts'
import { writeRepositoryKey } from './repository-key.ts'

export async function createWorkspace(
  fs: SessionFs,
  dir: string,
  file: MetadataFields & Pick<WorkspaceFile, 'id'>,
  { repositoryKey }: { readonly repositoryKey?: string | undefined } = {},
): Promise<void> {
  await fs.mkdir(`${dir}/${FILES}`)
  await fs.mkdir(`${dir}/${RESEARCH}`)
  await createCheckpoints(fs, dir)
  // With a remote the key follows from the repository, which workspace.yaml has.
  if (repositoryKey !== undefined && file.repository === undefined) {
    await writeRepositoryKey(fs, dir, repositoryKey)
  }
  await writeMetadata(fs, dir, file)
}
