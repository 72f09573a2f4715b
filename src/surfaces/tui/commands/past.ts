/**
 * What was said and done in all sessions, and taking a session elsewhere. What needs the store is loaded when it is
 * asked for: the first frame does not wait for it.
 */
import { layout } from '../../../format/layout.ts'
import { pathFrom } from '../../../format/paths.ts'
import { toMarkdown } from '../../../state/transcript-markdown.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import { board, boardWords } from '../past/board.ts'
import { inSession } from './command.ts'
import type { Command } from './command.ts'

const share = inSession(async (host, id, rest) => {
  const entries: TranscriptEntry[] = []
  for await (const entry of (await host.engine.open(id)).transcript()) entries.push(entry)
  const path = pathFrom(layout.session.files, { path: `${fileName(rest) || 'transcript'}.md` })
  const { text } = (await host.past.redactor()).redactText(toMarkdown(entries))
  await (await host.engine.open(id)).writeFile(path, new TextEncoder().encode(text))
  const { path: folder } = await (await host.engine.open(id)).metadata()
  host.say(`Written: ${folder}/${path}`, 'good')
})

const fileName = (text: string): string =>
  text
    .replace(/\.md$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')

export const pastCommands: readonly Command[] = [
  {
    name: 'search',
    arguments: '<words>',
    help: 'search everything that was said and done',
    run: async (host, rest) => (await import('../past/search.ts')).search(host, rest),
  },
  {
    name: 'sql',
    arguments: '<query>',
    help: 'ask the session store in SQL',
    run: async (host, rest) => (await import('../past/sql.ts')).sql(host, rest),
  },
  {
    name: 'chronicle',
    arguments: '[report] [since]',
    help: 'reports over all sessions; since: 24h, 7d, a date',
    words: [
      ['standup', 'what was done since yesterday'],
      ['tips', 'how to get more out of it'],
      ['improve', 'what the instructions should say'],
      ['cost', 'what it cost'],
    ],
    run: async (host, rest) => (await import('../past/reports.ts')).chronicle(host, rest),
  },
  {
    name: 'reindex',
    help: 'build the index of all sessions anew',
    run: async (host) => (await import('../past/reindex.ts')).reindex(host),
  },
  {
    name: 'board',
    arguments: '[word]',
    help: 'what all sessions of this repository should know',
    words: boardWords,
    run: board,
  },
  {
    name: 'export',
    arguments: '[name]',
    help: 'write the transcript, without secrets, into the files of this session',
    run: share,
  },
  { name: 'share', arguments: '[name]', help: 'the same: a file to send', run: share },
  {
    name: 'remote',
    help: 'watch and steer from elsewhere',
    run: async (host) =>
      host.say('/remote needs a Mission Control, and none is configured.', 'faint'),
  },
]
