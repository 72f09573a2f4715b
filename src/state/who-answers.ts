/** Which events say who answers from there on, and what they say. Pure. */
export const SAYS_WHO: ReadonlySet<string> = new Set([
  'session.start',
  'session.resume',
  'session.info',
])

export const agentIn = (data: object): string | undefined =>
  (data as { readonly reprise?: { readonly agent?: string } }).reprise?.agent
