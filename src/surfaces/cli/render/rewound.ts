/** What a rewind takes away, and what became of files. */
import type { RewindPreview, RewindResult } from '../../../engine/time/rewind.ts'
import type { Cli } from '../command.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { dim, green, red, yellow } from './span.ts'

type Losses = Pick<
  RewindPreview,
  'turnsRemoved' | 'eventsRemoved' | 'checkpointsRemoved' | 'bytesRemoved'
>

export const losses = (preview: Losses): string =>
  [
    counted(preview.turnsRemoved, 'turn'),
    counted(preview.eventsRemoved, 'event'),
    ...(preview.checkpointsRemoved > 0 ? [counted(preview.checkpointsRemoved, 'checkpoint')] : []),
    sizeText(preview.bytesRemoved),
  ].join(', ')

export function showFilesPreview({ out }: Cli, files: RewindPreview['files']): void {
  for (const { path, change, verdict, linesAdded, linesRemoved } of files) {
    out.line(
      '  ',
      path,
      dim(` ${change} `),
      green(`+${linesAdded} `),
      red(`-${linesRemoved} `),
      VERDICTS[verdict],
    )
  }
}

const VERDICTS = {
  restore: dim('would be restored with --files'),
  already: dim('is as it was'),
  drifted: yellow('changed since: would be left alone'),
  notCovered: yellow('not recorded: would be left alone'),
} as const

export function showFiles(
  { out }: Cli,
  { restoredFiles, skippedFiles }: Pick<RewindResult, 'restoredFiles' | 'skippedFiles'>,
): void {
  for (const path of restoredFiles) out.line(dim('  restored '), path)
  for (const { path, reason } of skippedFiles)
    out.line(yellow('  left alone '), path, dim(` (${REASONS[reason]})`))
}

const REASONS = {
  'user-modified': 'changed since',
  'skipped-capture': 'not recorded',
} as const
