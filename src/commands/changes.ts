/** `/changes`: the files that the turns of this session changed, as they differ from before its first one. */
import { z } from 'zod'
import type { ChangedFile } from '../engine/history/file-changes.ts'
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
    const files = first === undefined ? [] : (await session.previewRewind(first.eventId)).files
    const told = (await session.changes({ kind: 'session' })).files.filter(({ isTold }) => isTold)
    const paths = new Set(told.map(({ path }) => path))
    return { files: files.filter(({ path }) => !paths.has(path)), told }
  },
  say: ({ files, told }) =>
    files.length + told.length === 0
      ? 'No turn of this session changed a file.'
      : [
          ...files.map((file) => line(file, NOTES[file.verdict])),
          ...told.map((file) => line(file, ', as its tools told: its contents were not recorded')),
        ].join('\n'),
})

const line = ({ path, change, ...lines }: ChangedFile, note: string): string =>
  `- ${code(path)} ${[change, ...lineCounts(lines)].join(', ')}${note}`

/** None for what has no lines: a folder, an empty file, a picture. */
export const lineCounts = ({
  linesAdded,
  linesRemoved,
}: Pick<ChangedFile, 'linesAdded' | 'linesRemoved'>): string[] =>
  linesAdded + linesRemoved === 0 ? [] : [`+${linesAdded} -${linesRemoved}`]
