/** What became of files in a rewind or a redo, in the same words everywhere. */
import { relative } from 'node:path'
import { isBelow } from '../../lib/is-below.ts'
import { counted } from '../../lib/quantities.ts'
import type { RedoResult, RewindResult } from './rewind.ts'

type Told = Pick<RedoResult, 'restoredFiles' | 'skippedFiles'> &
  Partial<
    Pick<
      RewindResult,
      | 'mode'
      | 'filesUnrecorded'
      | 'foreignFiles'
      | 'isRecordDamaged'
      | 'removedFiles'
      | 'removedFolders'
      | 'root'
    >
  >

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
  if (result.isRecordDamaged === true)
    return 'The record of changed files is damaged (reprise doctor tells more): what else was changed is not known, and was left alone.'
  const { restoredFiles, skippedFiles, removedFolders = [] } = result
  const isListed = [restoredFiles, skippedFiles, removedFolders].some((each) => each.length > 0)
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
  const { restoredFiles, skippedFiles, removedFiles = [], removedFolders = [], root } = result
  const name = (path: string) => nameOf(path, root)
  const list = (words: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${words}: ${paths.map(name).join(', ')}.`]
  const left = skippedFiles.map(({ path, reason }) => `${name(path)} (${LEFT_ALONE[reason]})`)
  return [
    ...list(
      'Files restored',
      restoredFiles.filter((path) => !removedFiles.includes(path)),
    ),
    ...list('Files removed', removedFiles),
    ...list(removedFolders.length === 1 ? 'Folder removed' : 'Folders removed', removedFolders),
    ...(left.length === 0 ? [] : [`Left alone: ${left.join(', ')}.`]),
    fileNote(result) ?? [],
  ]
    .flat()
    .join(' ')
}

/** As it is called in the project, where it is one of it. */
const nameOf = (path: string, root: string | undefined): string =>
  root !== undefined && isBelow(root, path) ? relative(root, path) : path
