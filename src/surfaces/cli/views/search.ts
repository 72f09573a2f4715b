/** `search`: hits with the matches in colour; on a terminal a key goes on with the session of one. */
import { resolveAnywhere } from '../../../commands/find-session.ts'
import { aboutMeaning, whyHit } from '../../../commands/search-words.ts'
import type { search } from '../../../commands/search.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Hit, SearchResult } from '../../../store/search.ts'
import type { Snippet } from '../../../store/snippet.ts'
import { askKey } from '../ask.ts'
import type { Cli, Given, View } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { counted, relativeTime } from '../../../lib/quantities.ts'
import { shortIds } from '../../../state/session-title.ts'
import { bold, cyan, dim, yellow, type Span } from '../render/span.ts'
import { wrap } from '../render/wrap.ts'

type Found = Awaited<ReturnType<typeof search.run>>

export const searchView: View<Found> = {
  json: (_cli, { words: _words, ...found }) => found,
  async show(cli, result, given) {
    if (cli.canAsk && cli.out.isTerminal && result.hits.length > 0) return offer(cli, given, result)
    show(cli, result, { isFiltered: FILTERS.some((name) => given.has(name)) })
  },
  code: ({ hits }) => (hits.length > 0 ? OK : exitCodes.not_found),
}

const FILTERS = ['repo', 'branch', 'since', 'until', 'agent', 'file', 'ref', 'session', 'role']

const KEYS = '123456789'

/** A person looks at it: a key goes on with the session of a hit. */
async function offer(cli: Cli, given: Given, result: Found): Promise<void> {
  const ids = [...new Set(result.hits.map(({ sessionId }) => sessionId))].slice(0, KEYS.length)
  show(cli, result, { keyOf: (id) => KEYS.charAt(ids.indexOf(id)) })
  const keys = KEYS.slice(0, ids.length)
  const key = await askKey(cli, `Go on with ${keyRange(keys)}? Any other key leaves.`, keys)
  const id = key === undefined ? undefined : ids[KEYS.indexOf(key)]
  if (id === undefined) return
  if ('of' in result) await resolveAnywhere(await cli.engine(), id)
  const { openTerminal } = await import('../terminal.ts')
  await openTerminal(cli, given, { kind: 'open', id, isNew: false })
}

const keyRange = (keys: string): string =>
  keys.length === 1 ? keys : `${keys.charAt(0)}–${keys.charAt(keys.length - 1)}`

function show(
  cli: Cli,
  { hits, isPartial, isLoose, meaning, suggestions }: SearchResult,
  {
    keyOf = () => '',
    isFiltered = false,
  }: { readonly keyOf?: (id: SessionId) => string; readonly isFiltered?: boolean },
): void {
  const short = shortIds([...new Set(hits.map(({ sessionId }) => sessionId))])
  for (const hit of hits) showHit(cli, hit, { key: keyOf(hit.sessionId), short })
  // What has some of the words is no reason to doubt the others.
  for (const { word, instead } of isLoose === true ? [] : suggestions) {
    cli.out.line(`Nothing has "${word}". Did you mean ${instead.join(', ')}?`)
  }
  if (hits.length === 0 && suggestions.length === 0) {
    cli.out.line(isFiltered ? 'Nothing that passes these filters was found.' : 'Nothing was found.')
  }
  if (isLoose === true && meaning === undefined) {
    cli.out.line(dim('Nothing has all of these words; what has some of them is shown.'))
  }
  for (const line of aboutMeaning(meaning, 'reprise reindex')) cli.out.line(dim(line))
  if (isPartial) {
    cli.out.line(dim('So many fit that only the newest were looked at. Another word narrows it.'))
  }
  if (hits.length > 0) {
    cli.out.line(dim(`${counted(hits.length, 'hit')}. reprise --resume <id> goes on with one.`))
  }
}

function showHit(
  cli: Cli,
  { sessionId, name, repository, turn, role, at, snippet, explained }: Hit,
  { key, short }: { readonly key: string; readonly short: (id: string) => string },
): void {
  const where = [repository, turn === undefined ? undefined : `turn ${turn + 1}`, role]
  const about = where.filter((part) => part !== undefined).join(' · ')
  const columns = cli.out.isTerminal ? cli.out.columns : Infinity
  const head = [yellow(key === '' ? '' : `${key}  `), bold(short(sessionId)), '  ', cyan(name)]
  const [first = [], ...rest] = wrap(
    [...head, dim(`  ${about} · ${relativeTime(at, cli.now())}`)],
    columns,
    INDENT,
  )
  // The first line of a hit stands out to the left.
  cli.out.line(...first.slice(1))
  for (const line of [...rest, ...wrap(marked(snippet), columns, INDENT)]) cli.out.line(...line)
  if (explained !== undefined)
    for (const line of wrap([dim(whyHit(explained))], columns, INDENT)) cli.out.line(...line)
}

const INDENT = '  '

/** Without line breaks, with the matches in colour. */
function marked({ text, ranges, isCut }: Snippet): Span[] {
  const flat = (part: string) => part.replace(/\s+/g, ' ')
  const spans: Span[] = isCut.before ? ['…'] : []
  let last = 0
  for (const { start, end } of ranges) {
    spans.push(flat(text.slice(last, start)), yellow(flat(text.slice(start, end))))
    last = end
  }
  spans.push(flat(text.slice(last)), isCut.after ? '…' : '')
  return spans
}
