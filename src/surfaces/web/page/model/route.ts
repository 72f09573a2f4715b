/** The places of the page, as they stand behind the # of its address. */
import { defined } from '../../../../lib/defined.ts'

export type ReviewScope = 'turn' | 'session' | 'rewind' | 'fork'

export type Route =
  | { readonly view: 'home' | 'inbox' | 'sql' | 'board' | 'trash' }
  /** `cwd`: only those that work in this folder. */
  | { readonly view: 'sessions'; readonly cwd?: string }
  | {
      readonly view: 'session'
      readonly id: string
      /** By its number from 0. */
      readonly turn?: number
      /** A tool call in that turn. */
      readonly call?: string
      /** An event. */
      readonly at?: string
      /** What is looked for there: in that turn, or at that event. */
      readonly text?: string
    }
  | {
      readonly view: 'review'
      readonly id: string
      readonly scope: ReviewScope
      /** The message of the turn. */
      readonly event?: string
      readonly file?: string
      readonly line?: number
    }
  | { readonly view: 'search'; readonly query: Readonly<Record<string, string>> }
  | { readonly view: 'chronicle'; readonly kind: ReportKind }
  /** Of Mission Control. */
  | { readonly view: 'team'; readonly part: TeamPart }

export const reportKinds = ['standup', 'tips', 'improve', 'cost', 'charts'] as const
export type ReportKind = (typeof reportKinds)[number]
const teamParts = ['people', 'tokens', 'tasks', 'workers', 'limits', 'record'] as const
export type TeamPart = (typeof teamParts)[number]
const scopes = ['turn', 'session', 'rewind', 'fork'] as const
const plain = ['inbox', 'sql', 'board', 'trash'] as const

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [first = '', second = '', third = ''] = path.split('/')
  const query = Object.fromEntries(new URLSearchParams(search))
  if (first === 's' && second !== '') {
    const id = decoded(second)
    return third === 'review' ? reviewOf(id, query) : sessionOf(id, query)
  }
  if (first === 'search') return { view: 'search', query }
  if (first === 'chronicle') {
    return { view: 'chronicle', kind: reportKinds.find((kind) => kind === second) ?? 'standup' }
  }
  if (first === 'team')
    return { view: 'team', part: teamParts.find((part) => part === second) ?? 'people' }
  if (first === 'sessions') return { view: 'sessions', ...defined({ cwd: query['cwd'] }) }
  return { view: plain.find((view) => view === first) ?? 'home' }
}

type Query = Readonly<Record<string, string>>

function sessionOf(id: string, query: Query): Route {
  const turn = numberIn(query['turn'])
  const { at, call, text } = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== ''),
  )
  return { view: 'session', id, ...defined({ turn, call, at, text }) }
}

function reviewOf(id: string, query: Query): Route {
  const { event, file } = query
  const scope = scopes.find((each) => each === query['scope']) ?? 'session'
  const more = defined({ event, file, line: numberIn(query['line']) })
  return { view: 'review', id, scope, ...more }
}

function numberIn(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10)
  return number >= 0 ? number : undefined
}

export function hashOf(route: Route): string {
  switch (route.view) {
    case 'home':
      return '#/'
    case 'session': {
      const { id, turn, call, at, text } = route
      return `#/s/${encodeURIComponent(id)}${searchOf({ turn, call, at, text })}`
    }
    case 'review': {
      const { id, scope, event, file, line } = route
      return `#/s/${encodeURIComponent(id)}/review${searchOf({ scope, event, file, line })}`
    }
    case 'search':
      return `#/search${searchOf(route.query)}`
    case 'sessions':
      return `#/sessions${searchOf({ cwd: route.cwd })}`
    case 'chronicle':
      return `#/chronicle/${route.kind}`
    case 'team':
      return `#/team/${route.part}`
    default:
      return `#/${route.view}`
  }
}

type Hit = {
  readonly sessionId: string
  readonly turn?: number
  readonly source: string
  readonly snippet: { readonly text: string; readonly ranges: readonly Range[] }
}
type Range = { readonly start: number; readonly end: number }

/** Where a search found something: the turn, and in it the tool call or what was said. */
export function hashOfHit({ sessionId, turn, source, snippet }: Hit): string {
  const call = source.startsWith('tool:') ? source.slice('tool:'.length) : undefined
  const text = turn !== undefined && source === 'turn' ? passageOf(snippet) : undefined
  return hashOf({ view: 'session', id: sessionId, ...defined({ turn, call, text }) })
}

const LONGEST_PASSAGE = 120

/** From the first word that was found to the end of its line. */
function passageOf({ text, ranges: [first] }: Hit['snippet']): string | undefined {
  if (first === undefined) return undefined
  const line = text.slice(first.start).split('\n', 1)[0] ?? ''
  return line.slice(0, LONGEST_PASSAGE).trim() || undefined
}

function searchOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // An address that was typed may be no valid encoding.
    return text
  }
}
