/** The link that a person came with, as it stands behind the # of the address. */
type Link = { readonly kind: 'code' | 'guest'; readonly code: string }

export function linkIn(hash: string): Link | undefined {
  const [, kind, code] = /^#(code|guest)=([\w.-]+)$/.exec(hash) ?? []
  if (code === undefined) return undefined
  return { kind: kind === 'guest' ? 'guest' : 'code', code }
}

/** For how many hours a guest's link may work. */
export const guestSpans = [
  [1, 'an hour'],
  [24, 'a day'],
  [168, 'a week'],
  [720, '30 days'],
] as const

export const guestOver =
  'This guest link has expired or was ended. Ask the person who gave it to you for a new one.'

/** No other machine finds what has such an address. */
export const isOfThisMachine = (link: string): boolean =>
  /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(link)
