/** `/search`: what was said and done in all sessions. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { ago, counted } from '../lib/quantities.ts'
import type { Hit, SearchResult } from '../store/search.ts'
import type { Snippet } from '../store/snippet.ts'
import { command } from './command.ts'
import { asking, behind, freshStore } from './fresh-store.ts'
import { elsewhere, farBehind, farOf } from './remote-query.ts'
import { code, plain } from './markdown.ts'
import { aboutMeaning, whyHit } from './search-words.ts'

/** As many as are read, and as many as are chosen from. */
const MOST = { read: 20, chosen: 100 } as const

export const search = command({
  name: 'search',
  aliases: ['chronicle search'],
  summary: 'search everything that was said and done',
  changes: 'nothing',
  on: 'home',
  args: z.object({
    words: z.string().describe('all of them must occur; "a phrase" together, foo* as a beginning'),
    repo: z.string().optional().describe('only sessions of this repository'),
    branch: z.string().optional().describe('only sessions on this branch'),
    since: z.string().optional().describe('only what was said since then: 24h, 7d, 2w, or a date'),
    until: z.string().optional().describe('only what was said before: 24h, 7d, 2w ago, or a date'),
    agent: z.string().optional().describe('only sessions with this client, program or model'),
    file: z.string().optional().describe('only sessions that changed such a file'),
    ref: z
      .string()
      .optional()
      .describe('only sessions that touched this pull request, issue, commit or branch'),
    role: z
      .enum(['user', 'assistant', 'tool', 'checkpoint', 'file', 'name'])
      .optional()
      .describe('only words of user, assistant, tool, checkpoint, file or name'),
    session: z.string().optional().describe('only this session'),
    limit: z.coerce.number().int().min(1).optional().describe('how many, at most'),
    raw: z.boolean().optional().describe('the words are an expression of FTS5'),
    explain: z.boolean().optional().describe('say of each hit why it stands where it does'),
    ...elsewhere,
  }),
  words: ['words…'],
  run: (context, { words, limit, raw, explain, cloud, team, ...filters }) =>
    asking(async () => {
      const query = {
        query: words,
        filters: defined(filters),
        limit: limit ?? MOST[context.view === undefined ? 'read' : 'chosen'],
        now: context.now(),
        ...defined({ raw }),
      }
      const far = await farOf(context, { cloud, team })
      if (far !== undefined) {
        const found = await far.store.search(far.of, query)
        const { value } = (await context.redactor()).redactJson(found)
        return { ...value, words, of: far.of, stale: false }
      }
      const { store, stale } = await freshStore(context)
      const [found, { BadQuery }] = await Promise.all([
        store.search({ ...query, ...defined({ explain }) }).catch((cause: unknown) => cause),
        import('../store/query.ts'),
      ])
      if (found instanceof BadQuery) throw new EngineError('invalid', found.message)
      if (found instanceof Error) throw found
      return { ...(found as SearchResult), words, stale }
    }),
  say(found, wording) {
    const { hits, suggestions, words, stale } = found
    const far = 'behind' in found ? farBehind(found.behind) : []
    const missing = [
      ...(stale ? ['', behind(wording)] : []),
      ...far,
      ...aboutMeaning(found.meaning, wording.call('reindex')).flatMap((line) => ['', plain(line)]),
    ]
    if (hits.length === 0) return [sayNothing(words, suggestions), ...missing].join('\n')
    const rows = hits.map((hit) =>
      [
        `- ${code(hit.sessionId.slice(0, 8))} ${plain(hit.name)} · ${aboutHit(hit, wording.now())}`,
        `  ${plain(marked(hit.snippet))}`,
        ...(hit.explained === undefined ? [] : [`  ${plain(whyHit(hit.explained))}`]),
      ].join('\n'),
    )
    return [hitsTitle(found), '', ...rows, ...missing].join('\n')
  },
})

export const hitsTitle = ({
  hits,
  words,
  isPartial,
  isLoose,
  meaning,
}: Pick<SearchResult, 'hits' | 'isPartial' | 'isLoose' | 'meaning'> & {
  readonly words: string
}): string =>
  isLoose === true && meaning === undefined
    ? `Nothing has all of "${words}". These have some of it: ${counted(hits.length, 'hit')}`
    : `${counted(hits.length, 'hit')} for "${words}"${isPartial ? ', of the newest' : ''}`

function sayNothing(words: string, suggestions: SearchResult['suggestions']): string {
  const hints = suggestions.map(
    ({ word, instead }) => `Nothing has "${word}". Did you mean ${instead.join(', ')}?`,
  )
  return hints.length === 0 ? `Nothing was found for "${words}".` : hints.join('\n')
}

export const aboutHit = ({ role, turn, repository, at }: Hit, now: Date): string =>
  [role, turn === undefined ? undefined : `turn ${turn + 1}`, repository, ago(at, now)]
    .filter((part) => part !== undefined)
    .join(' · ')

/** With the matches in brackets: a list has no other way to mark them without colour. */
export function marked({ text, ranges, isCut }: Snippet): string {
  let shown = isCut.before ? '…' : ''
  let last = 0
  for (const { start, end } of ranges) {
    shown += `${text.slice(last, start)}[${text.slice(start, end)}]`
    last = end
  }
  return `${shown}${text.slice(last)}${isCut.after ? '…' : ''}`
}
