/** `search`: answers from the store, which is brought up to date first when it looks stale. */
import { EngineError } from '../../../engine/errors.ts'
import type { SessionId } from '../../../format/ids.ts'
import { StoreUnavailable } from '../../../store/connection.ts'
import { roles } from '../../../store/filters.ts'
import type { Filters, Role } from '../../../store/filters.ts'
import { BadQuery } from '../../../store/query.ts'
import type { Hit, SearchResult } from '../../../store/search.ts'
import type { Snippet } from '../../../store/snippet.ts'
import { askKey } from '../ask.ts'
import type { Cli, Given, Run } from '../command.ts'
import { usage } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { freshStore } from '../fresh-store.ts'
import { counted, relativeTime } from '../../../lib/quantities.ts'
import { bold, cyan, dim, yellow } from '../render/span.ts'
import type { Span } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  try {
    const { store, stale } = await freshStore(cli, given)
    const filters = filtersOf(given)
    const result = await store.search({
      query: given.flag('raw') ? given.words(0).join(' ') : queryOf(given.words(0)),
      filters,
      raw: given.flag('raw'),
      now: cli.now(),
      ...limitOf(given),
    })
    if (cli.json) cli.out.json({ ...result, stale })
    else if (cli.canAsk && cli.out.isTerminal && result.hits.length > 0) {
      await offer(cli, given, result)
    } else show(cli, result, { isFiltered: Object.keys(filters).length > 0 })
    return result.hits.length > 0 ? OK : exitCodes.not_found
  } catch (cause) {
    if (cause instanceof BadQuery) throw usage(cause.message)
    if (!(cause instanceof StoreUnavailable)) throw cause
    throw new EngineError('busy', cause.message, { cause })
  }
}

/** The shell takes the quotes of a phrase away; what stays together in one argument belongs together. */
const queryOf = (words: readonly string[]): string =>
  words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ')

function limitOf(given: Given): { limit?: number } {
  const limit = given.whole('limit', 1)
  return limit === undefined ? {} : { limit }
}

const NAMES = ['repo', 'branch', 'since', 'until', 'agent', 'file', 'ref', 'session'] as const

function filtersOf(given: Given): Filters {
  const texts = NAMES.flatMap((name) => {
    const value = given.text(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(texts), ...roleOf(given.text('role')) }
}

function roleOf(role: string | undefined): { role?: Role } {
  if (role === undefined) return {}
  const known = roles.find((each) => each === role)
  if (known === undefined) throw usage(`--role is one of ${roles.join(', ')}, not "${role}".`)
  return { role: known }
}

const KEYS = '123456789'

/** Somebody looks at it: a key goes on with the session of a hit. */
async function offer(cli: Cli, given: Given, result: SearchResult): Promise<void> {
  const ids = [...new Set(result.hits.map(({ sessionId }) => sessionId))].slice(0, KEYS.length)
  show(cli, result, { keyOf: (id) => KEYS.charAt(ids.indexOf(id)) })
  const keys = KEYS.slice(0, ids.length)
  const key = await askKey(cli, `Go on with ${keyRange(keys)}? Any other key leaves.`, keys)
  const id = key === undefined ? undefined : ids[KEYS.indexOf(key)]
  if (id === undefined) return
  const { openTerminal } = await import('../terminal.ts')
  await openTerminal(cli, given, { kind: 'open', id, isNew: false })
}

const keyRange = (keys: string): string =>
  keys.length === 1 ? keys : `${keys.charAt(0)}–${keys.charAt(keys.length - 1)}`

function show(
  cli: Cli,
  { hits, isPartial, suggestions }: SearchResult,
  {
    keyOf = () => '',
    isFiltered = false,
  }: { readonly keyOf?: (id: SessionId) => string; readonly isFiltered?: boolean },
): void {
  for (const hit of hits) showHit(cli, hit, keyOf(hit.sessionId))
  for (const { word, instead } of suggestions) {
    cli.out.line(`Nothing has "${word}". Did you mean ${instead.join(', ')}?`)
  }
  if (hits.length === 0 && suggestions.length === 0) {
    cli.out.line(isFiltered ? 'Nothing that passes these filters was found.' : 'Nothing was found.')
  }
  if (isPartial) {
    cli.out.line(dim('So many fit that only the newest were looked at. Another word narrows it.'))
  }
  if (hits.length > 0) {
    cli.out.line(dim(`${counted(hits.length, 'hit')}. reprise --resume <id> goes on with one.`))
  }
}

function showHit(
  cli: Cli,
  { sessionId, name, repository, turn, role, at, snippet }: Hit,
  key: string,
): void {
  const where = [repository, turn === undefined ? undefined : `turn ${turn + 1}`, role]
  const about = where.filter((part) => part !== undefined).join(' · ')
  cli.out.line(
    key === '' ? '' : yellow(`${key}  `),
    bold(sessionId),
    '  ',
    cyan(name),
    dim(`  ${about} · ${relativeTime(at, cli.now())}`),
  )
  cli.out.line('  ', ...marked(snippet))
}

/** On one line, with the matches in colour. */
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
