/** What became of files in a rewind or a redo, in the same words everywhere. */
import { counted } from '../../lib/quantities.ts'
import type { RedoResult, RewindResult } from './rewind.ts'

type Told = Pick<RedoResult, 'restoredFiles' | 'skippedFiles'> &
  Partial<Pick<RewindResult, 'mode' | 'filesUnrecorded' | 'foreignFiles'>>

/** Why a file was left alone. */
const LEFT_ALONE = {
  'user-modified': 'changed since',
  'skipped-capture': 'no earlier version is known',
} as const

/** A sentence for what the lists of files do not say; undefined when they say all. */
function fileNote(result: Told): string | undefined {
  if (result.mode === 'conversation') return 'Files were left as they are.'
  if (result.foreignFiles !== undefined) return foreignNote(result.foreignFiles)
  if (result.filesUnrecorded === true)
    return 'Changes of files in the project are not recorded here, so none was taken back.'
  const isListed = result.restoredFiles.length > 0 || result.skippedFiles.length > 0
  return isListed ? undefined : 'No file had to be changed.'
}

const MOST_NAMED = 10

function foreignNote(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).join(', ')
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ''
  const are = files.length === 1 ? 'is' : 'are'
  const were = files.length === 1 ? 'was' : 'were'
  return `${counted(files.length, 'file')} of what was taken back ${are} not in this home, because the session came from another: ${named}${more} ${were} left alone.`
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
