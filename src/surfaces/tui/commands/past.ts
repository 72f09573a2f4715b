/** What was said and done in all sessions, and taking a session elsewhere. Answered by the program's own commands. */
import { toMarkdown } from '../../../state/transcript-markdown.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import { fenced } from './agent.ts'
import { inSession } from './command.ts'
import type { Command, Desk } from './command.ts'

const asking =
  (title: string, args: (rest: string) => readonly string[], question?: string): Command['run'] =>
  async (desk, given) => {
    const rest = given === '' && question !== undefined ? await desk.ask(question) : given
    if (rest === undefined || (rest === '' && question !== undefined)) return
    desk.page(title, fenced((await desk.program(args(rest))) || 'Nothing.'))
  }

const wordsOf = (rest: string): string[] => rest.split(/\s+/).filter(Boolean)

async function reindex(desk: Desk): Promise<void> {
  desk.say('Reading all sessions…', 'faint')
  desk.say((await desk.program(['reindex'])).trim() || 'Done.', 'good')
}

const share = inSession(async (desk, id, rest) => {
  const entries: TranscriptEntry[] = []
  for await (const entry of desk.engine.transcript(id)) entries.push(entry)
  const path = `files/${fileName(rest) || 'transcript'}.md`
  await desk.engine.writeFile(id, path, new TextEncoder().encode(toMarkdown(entries)))
  const { path: folder } = await desk.engine.metadata(id)
  desk.say(`Written: ${folder}/${path}`, 'good')
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
    run: asking('Search', (rest) => ['search', ...wordsOf(rest)], 'Search for'),
  },
  {
    name: 'sql',
    arguments: '<query>',
    help: 'ask the session store in SQL',
    run: asking('SQL', (rest) => ['sql', rest], 'One SELECT'),
  },
  {
    name: 'chronicle',
    arguments: '[report]',
    help: 'reports over all sessions',
    words: [
      ['standup', 'what was done since yesterday'],
      ['tips', 'how to get more out of it'],
      ['improve', 'what the instructions should say'],
      ['cost', 'what it cost'],
    ],
    run: asking('Chronicle', (rest) => [
      'chronicle',
      ...(rest === '' ? ['standup'] : wordsOf(rest)),
    ]),
  },
  { name: 'reindex', help: 'build the index of all sessions anew', run: reindex },
  {
    name: 'board',
    arguments: '[word]',
    help: 'what all sessions of this repository should know',
    run: asking('Board', (rest) => ['board', ...(rest === '' ? ['list'] : wordsOf(rest))]),
  },
  {
    name: 'export',
    arguments: '[name]',
    help: 'write the transcript as Markdown into the files of this session',
    run: share,
  },
  { name: 'share', arguments: '[name]', help: 'the same: a file to send', run: share },
  {
    name: 'remote',
    help: 'watch and steer from elsewhere',
    run: async (desk) =>
      desk.say('/remote needs a Mission Control, and none is configured.', 'faint'),
  },
]
