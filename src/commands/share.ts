/** `/share`: the transcript, without secrets, as a file of the session that can be sent to others. */
import { z } from 'zod'
import { layout } from '../format/layout.ts'
import { pathFrom } from '../format/paths.ts'
import { toMarkdown } from '../state/transcript-markdown.ts'
import { command } from './command.ts'
import { code } from './markdown.ts'
import { redactedTranscript } from './redacted-transcript.ts'

export const share = command({
  name: 'share',
  aliases: ['export'],
  summary: 'write the transcript, without secrets, into the files of this session',
  changes: 'nothing',
  on: 'session',
  args: z.object({ name: z.string().optional().describe('what the file is called') }),
  words: ['name…'],
  async run(context, { name = '' }) {
    const session = await context.session()
    const redactor = await context.redactor()
    const entries = await redactedTranscript(session, (value) => redactor.redactJson(value).value)
    const path = pathFrom(layout.session.files, { path: `${fileName(name) || 'transcript'}.md` })
    await session.writeFile(path, new TextEncoder().encode(toMarkdown(entries)))
    return { path: `${(await session.metadata()).path}/${path}` }
  },
  say: ({ path }) => `Written: ${code(path)}`,
})

const fileName = (text: string): string =>
  text
    .replace(/\.md$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
