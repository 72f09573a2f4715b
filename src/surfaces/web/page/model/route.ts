/** The places of the page, as they stand behind the # of its address. */
export type Route =
  | { readonly view: 'sessions' }
  | { readonly view: 'session'; readonly id: string; readonly turn?: number }
  | { readonly view: 'search'; readonly query: Readonly<Record<string, string>> }
  | { readonly view: 'chronicle'; readonly kind: ReportKind }
  | { readonly view: 'sql' }
  | { readonly view: 'board' }
  | { readonly view: 'trash' }

export const reportKinds = ['standup', 'tips', 'improve', 'cost', 'charts'] as const
export type ReportKind = (typeof reportKinds)[number]

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [first = '', second = ''] = path.split('/')
  const query = Object.fromEntries(new URLSearchParams(search))
  if (first === 's' && second !== '') {
    const turn = Number.parseInt(query['turn'] ?? '', 10)
    const id = decoded(second)
    return { view: 'session', id, ...(turn >= 0 && { turn }) }
  }
  if (first === 'search') return { view: 'search', query }
  if (first === 'chronicle') {
    return { view: 'chronicle', kind: reportKinds.find((kind) => kind === second) ?? 'standup' }
  }
  const plain = (['sql', 'board', 'trash'] as const).find((view) => view === first)
  return { view: plain ?? 'sessions' }
}

export function hashOf(route: Route): string {
  switch (route.view) {
    case 'sessions':
      return '#/'
    case 'session': {
      const turn = route.turn === undefined ? '' : `?turn=${route.turn}`
      return `#/s/${encodeURIComponent(route.id)}${turn}`
    }
    case 'search': {
      const query = new URLSearchParams(
        Object.entries(route.query).filter(([, value]) => value !== ''),
      ).toString()
      return query === '' ? '#/search' : `#/search?${query}`
    }
    case 'chronicle':
      return `#/chronicle/${route.kind}`
    case 'sql':
    case 'board':
    case 'trash':
      return `#/${route.view}`
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // An address that was typed may be no valid encoding.
    return text
  }
}
