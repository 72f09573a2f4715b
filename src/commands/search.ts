/** `/search`: what was said and done in all sessions. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { ago, counted } from '../lib/quantities.ts'
import type { Hit, SearchResult } from '../store/search.ts'
import type { Snippet } from '../store/snippet.ts'
import { command } from './command.ts'
import { BEHIND, asking, freshStore } from './fresh-store.ts'
import { code, plain } from './markdown.ts'

const MOST = 100

export const search = command({
  name: 'search',
  aliases: ['chronicle search'],
  summary: 'search everything that was said and done',
  changes: 'nothing',
  on: 'home',
  args: z.object({
    words: z.string().describe('all of them must occur; "a phrase" together, foo* as a beginning'),
    limit: z.coerce.number().int().min(1).max(500).default(MOST).describe('how many, at most'),
  }),
  words: ['words…'],
  run: (context, { words, limit }) =>
    asking(async () => {
      const { store, isBehind } = await freshStore(context)
      const [found, { BadQuery }] = await Promise.all([
        store.search({ query: words, limit, now: context.now() }).catch((cause: unknown) => cause),
        import('../store/query.ts'),
      ])
      if (found instanceof BadQuery) throw new EngineError('invalid', found.message)
      if (found instanceof Error) throw found
      return { ...(found as SearchResult), words, isBehind }
    }),
  say({ hits, suggestions, words, isPartial, isBehind }, now) {
    const behind = isBehind ? ['', BEHIND] : []
    if (hits.length === 0) return [sayNothing(words, suggestions), ...behind].join('\n')
    const rows = hits.map(
      (hit) =>
        `- ${code(hit.sessionId.slice(0, 8))} ${plain(hit.name)} · ${aboutHit(hit, now)}\n  ${plain(marked(hit.snippet))}`,
    )
    return [hitsTitle({ hits, words, isPartial }), '', ...rows, ...behind].join('\n')
  },
})

export const hitsTitle = ({
  hits,
  words,
  isPartial,
}: Pick<SearchResult, 'hits' | 'isPartial'> & { readonly words: string }): string =>
  `${counted(hits.length, 'hit')} for "${words}"${isPartial ? ', of the newest' : ''}`

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
