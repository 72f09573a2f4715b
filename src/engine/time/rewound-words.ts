/** What became of files in a rewind or a redo, in the same words everywhere. */
import type { RedoResult, RewindResult } from './rewind.ts'

type Told = Pick<RedoResult, 'restoredFiles' | 'skippedFiles'> &
  Partial<Pick<RewindResult, 'mode' | 'filesUnrecorded' | 'foreignRecord'>>

/** Why a file was left alone. */
export const LEFT_ALONE = {
  'user-modified': 'changed since',
  'skipped-capture': 'no earlier version is known',
} as const

/** A sentence for what the lists of files do not say; undefined when they say all. */
export function fileNote(result: Told): string | undefined {
  if (result.mode === 'conversation') return 'Files were left as they are.'
  if (result.foreignRecord === true)
    return 'The session came with a record of changed files that this home did not write. Nothing was done by it.'
  if (result.filesUnrecorded === true)
    return 'Changes of files in the project are not recorded here, so none was taken back.'
  const isListed = result.restoredFiles.length > 0 || result.skippedFiles.length > 0
  return isListed ? undefined : 'No file had to be changed.'
}

export function filesTold(result: Told): string {
  const { restoredFiles, skippedFiles } = result
  const restored =
    restoredFiles.length === 0 ? [] : [`Files restored: ${restoredFiles.join(', ')}.`]
  const left = skippedFiles.map(({ path, reason }) => `${path} (${LEFT_ALONE[reason]})`)
  return [
    ...restored,
    ...(left.length === 0 ? [] : [`Left alone: ${left.join(', ')}.`]),
    fileNote(result) ?? [],
  ]
    .flat()
    .join(' ')
}
