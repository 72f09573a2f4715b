/** `/changes`: the files that the turns of this session changed, as they differ from before its first one. */
import { z } from 'zod'
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
            ({ path, change, verdict, linesAdded, linesRemoved }) =>
              `- ${code(path)} ${change}, +${linesAdded} -${linesRemoved}${NOTES[verdict]}`,
          )
          .join('\n'),
})
