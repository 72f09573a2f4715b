/** `/changes`: the files that the turns of this session changed, as they differ from before its first one. */
import { z } from 'zod'
import type { ChangedFile } from '../engine/time/file-changes.ts'
import { command } from './command.ts'
import { code } from './markdown.ts'

const NOTES = {
  restore: '',
  already: ', and is again as it was',
  drifted: ', and was changed by others since',
  notCovered: ', not recorded',
} as const

export const changes = command({
  name: 'changes',
  summary: 'the files that the turns of the session changed',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    const first = (await session.rewindPoints()).at(-1)
    return { files: first === undefined ? [] : (await session.previewRewind(first.eventId)).files }
  },
  say: ({ files }) =>
    files.length === 0
      ? 'No turn of this session changed a file.'
      : files
          .map(
            ({ path, change, verdict, ...lines }) =>
              `- ${code(path)} ${[change, ...lineCounts(lines)].join(', ')}${NOTES[verdict]}`,
          )
          .join('\n'),
})

/** None for what has no lines: a folder, an empty file, a picture. */
export const lineCounts = ({
  linesAdded,
  linesRemoved,
}: Pick<ChangedFile, 'linesAdded' | 'linesRemoved'>): string[] =>
  linesAdded + linesRemoved === 0 ? [] : [`+${linesAdded} -${linesRemoved}`]
