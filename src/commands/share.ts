/** `/share`: the transcript, without secrets, as a file of the session that can be sent to others, or a link to watch it. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
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

const MOST_HOURS = 720

export const shareLink = command({
  name: 'share link',
  summary: 'a link with which others watch this session, read-only and without secrets',
  changes: 'nothing',
  needs: 'guests',
  on: 'session',
  args: z.object({
    hours: z.coerce.number().int().min(1).max(MOST_HOURS).default(24).describe('how long it holds'),
  }),
  words: ['hours'],
  async run(context, { hours }) {
    const { guests, view } = context
    if (guests === undefined) throw new EngineError('invalid', 'No link can be made here.')
    const made = await guests.link((await context.session()).id, hours)
    view?.copy(made.link)
    return made
  },
  say: ({ link, expiresAt, isOwn }) =>
    [
      `Guest link, copied: ${link}`,
      `One session, read-only, until ${expiresAt}${isOwn ? ', while this terminal is open' : ''}.`,
      ...(isLoopbackLink(link)
        ? ['Only this machine reaches it; `reprise web --allow-remote` serves others.']
        : []),
    ].join('\n'),
})

const isLoopbackLink = (link: string): boolean =>
  /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(link)

const fileName = (text: string): string =>
  text
    .replace(/\.md$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
