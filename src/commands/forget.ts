/** `/forget`: a text, or what a pattern finds, taken out of everything that is kept. */
import { z } from 'zod'
import type { ForgetFinding, Forgotten } from '../engine/forget/forget.ts'
import { EngineError } from '../engine/errors.ts'
import type { SessionId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import { command } from './command.ts'
import type { CommandContext } from './command.ts'
import { code, plain } from './markdown.ts'

export const forget = command({
  name: 'forget',
  summary: 'take a text out of all logs, copies and indexes, for good',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    text: z.string().describe('the text as it is'),
    pattern: z.boolean().optional().describe('it is a regular expression'),
    session: z.string().optional().describe('only this session and its forks'),
    yes: z
      .boolean()
      .optional()
      .describe('do it; without this it is only said where the text stands'),
  }),
  words: ['text…'],
  async run(context, { text, pattern = false, session, yes = false }) {
    const sessions = session === undefined ? undefined : [await idOf(context, session)]
    const query = { text, isPattern: pattern, ...defined({ sessions }) }
    const shown = context.view?.shown()
    if (yes && shown !== undefined) await context.view?.open(undefined)
    try {
      return await context.engine.forget(query, { dryRun: !yes })
    } finally {
      if (yes && shown !== undefined) await context.view?.open(shown)
    }
  },
  say: (result) => sayForgotten(result).join('\n'),
})

async function idOf({ engine }: CommandContext, word: string): Promise<SessionId> {
  const found = await engine.resolve(word)
  if (found.kind === 'found') return found.id
  throw new EngineError('not_found', `There is no one session "${word}". Nothing was changed.`)
}

/** One line a place, then what it comes to. The text itself is never said. */
export function sayForgotten(result: Forgotten): string[] {
  const { dryRun, findings, places, left, kept } = result
  const rows = findings.flatMap((finding) =>
    finding.files.map(
      ({ path, meaning, count }) =>
        `- ${whereOf(finding)}: ${counted(count, 'place')} in ${code(nameOf(path))}, ${plain(wordsOf(meaning))}`,
    ),
  )
  const ofCopilot = left.map(
    ({ path }) => `- left as it is: ${code(path)}, which another program keeps`,
  )
  const open = kept.map(({ id, reason }) => `- kept in session ${code(id.slice(0, 8))}: ${reason}`)
  return [
    ...rows,
    ...ofCopilot,
    ...open,
    ...(rows.length > 0 ? [''] : []),
    endOf(dryRun, places, kept.length),
  ]
}

function endOf(dryRun: boolean, places: number, kept: number): string {
  if (places === 0) return 'It stands nowhere in what this home keeps.'
  if (dryRun)
    return `It stands in ${counted(places, 'place')}. Nothing was changed: with --yes it is forgotten.`
  const rest = kept === 0 ? '' : ` In ${counted(kept, 'session')} it still stands.`
  return `Forgotten in ${counted(places, 'place')}.${rest} Files of your projects were not touched.`
}

function whereOf({ where, id }: ForgetFinding): string {
  if (id === undefined) return where
  return where === 'trash'
    ? `session ${code(id.slice(0, 8))} in the trash`
    : `session ${code(id.slice(0, 8))}`
}

/** Without the number of a section of the format, and what explains a part of the path. */
const wordsOf = (meaning: string): string => meaning.replace(/^§\d+: |[:;] (?:§|`).*$/g, '')

/** Below the session's folder. */
const nameOf = (path: string): string =>
  path.replace(/^(?:session-state|\.reprise\/trash)\/[^/]+\//, '')
