/** `/forget`: a text, or what a pattern finds, taken out of everything that is kept. */
import { z } from 'zod'
import type { ForgetFinding, Forgotten } from '../engine/forget/forget.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import { command } from './command.ts'
import { findSession } from './find-session.ts'
import { code, plain } from './markdown.ts'

/** `asked`: it was only looked for, and has to be confirmed. */
export type ForgetResult = Forgotten & { readonly asked?: string }

export const forget = command({
  name: 'forget',
  summary: 'take a text out of all logs, copies, undone parts and indexes, for good',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    text: z.string().describe('the text as it is'),
    pattern: z.boolean().optional().describe('it is a regular expression'),
    session: z.string().optional().describe('only this session and its forks'),
    dryRun: z.boolean().optional().describe('only say where it stands'),
    yes: z.boolean().optional().describe('do it; without this it is only said where it stands'),
  }),
  words: ['text…'],
  async run(context, given): Promise<ForgetResult> {
    const { text, pattern = false, session, dryRun = false, yes = false } = given
    const { engine, view } = context
    const sessions =
      session === undefined ? undefined : [await findSession(context, engine, session)]
    // From a pipe it comes with the end of its line.
    const query = { text: text.replace(/\n$/, ''), isPattern: pattern, ...defined({ sessions }) }
    if (dryRun || !yes) {
      const found = await engine.forget(query, { dryRun: true })
      if (dryRun || found.places === 0) return found
      return { ...found, asked: `Forget it in ${counted(found.places, 'place')}, for good?` }
    }
    const shown = view?.shown()
    if (shown !== undefined) await view?.open(undefined)
    try {
      return await engine.forget(query, { dryRun: false })
    } finally {
      if (shown !== undefined) await view?.open(shown)
    }
  },
  say: (result) => sayForgotten(result).join('\n'),
})

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
  const open = kept.map(({ id, reason }) =>
    id === undefined
      ? `- kept: ${plain(reason)}`
      : `- kept in session ${code(id.slice(0, 8))}: ${plain(reason)}`,
  )
  return [
    ...rows,
    ...ofCopilot,
    ...open,
    ...(rows.length > 0 ? [''] : []),
    endOf(dryRun, places, kept.length),
  ]
}

function endOf(dryRun: boolean, places: number, kept: number): string {
  if (places === 0 && kept > 0)
    return `It was found nowhere; ${counted(kept, 'session or part', 'sessions or parts')} of this home could not be looked through.`
  if (places === 0) return 'It stands nowhere in what this home keeps.'
  if (dryRun)
    return `It stands in ${counted(places, 'place')}. Nothing was changed: with --yes it is forgotten.`
  const rest =
    kept === 0
      ? ''
      : ` It may still stand in ${counted(kept, 'session or part', 'sessions or parts')} of this home.`
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
