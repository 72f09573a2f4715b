/** What a rewind takes away, and what became of files. */
import { LEFT_ALONE, fileNote } from '../../../engine/time/rewound-words.ts'
import type { RewindOptions, RewindPreview } from '../../../engine/time/rewind.ts'
import type { Cli, Given } from '../command.ts'
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

/** Without the flag the engine's own choice. */
export const keptFiles = (given: Given): RewindOptions =>
  given.flag('keepFiles') ? { mode: 'conversation' } : {}

export function showFilesPreview({ out }: Cli, files: RewindPreview['files']): void {
  for (const { path, of, change, verdict, linesAdded, linesRemoved } of files) {
    out.line(
      '  ',
      of === 'session' ? `${path} of the session` : path,
      dim(` ${change} `),
      green(`+${linesAdded} `),
      red(`-${linesRemoved} `),
      VERDICTS[verdict],
    )
  }
}

const VERDICTS = {
  restore: dim('would be restored'),
  already: dim('is as it was'),
  drifted: yellow('changed since: would be left alone'),
  notCovered: yellow('no earlier version is known: would be left alone'),
} as const

export function showFiles({ out }: Cli, result: Parameters<typeof fileNote>[0]): void {
  for (const path of result.restoredFiles) out.line(dim('  restored '), path)
  for (const { path, reason } of result.skippedFiles)
    out.line(yellow('  left alone '), path, dim(` (${LEFT_ALONE[reason]})`))
  const note = fileNote(result)
  if (note !== undefined) out.line(dim(`  ${note}`))
}
