/**
 * Where the copy of a log goes on. The server says what it has; the log says what is true. They agree up to some event:
 * when the server has more than that, the log was rewound, and the copy goes on in a new generation behind that event;
 * when the log has again what a rewind removed, it goes on from the end of the generation that holds it. Pure.
 */
import type { Copy, End } from './link.ts'
import type { Claim } from './control-client.ts'

/** The ids of the log's events, and behind which byte each ends. */
export type Places = { readonly ids: readonly string[]; readonly ends: readonly number[] }

type Alignment =
  | { readonly kind: 'append'; readonly events: number }
  | { readonly kind: 'generation'; readonly from: number; readonly events: number }
  /** The log and the server part somewhere before the server's end: its ids are needed. */
  | { readonly kind: 'compare' }

export function align(
  { ids }: Places,
  { generation, events, lastEventId }: Pick<Claim, 'generation' | 'events' | 'lastEventId'>,
  left: readonly End[],
): Alignment {
  if (events === 0 || ids[events - 1] === lastEventId) return { kind: 'append', events }
  const redone = left
    .filter((end) => end.generation !== generation && ids[end.events - 1] === end.lastEventId)
    .sort((a, b) => b.events - a.events)[0]
  if (redone === undefined) return { kind: 'compare' }
  return { kind: 'generation', from: redone.generation, events: redone.events }
}

/** As it was, whether or not the log has gone on since. */
export const isWhereItWas = (copy: Copy, claim: Claim): boolean =>
  copy.head.generation === claim.generation &&
  copy.head.events === claim.events &&
  copy.head.lastEventId === claim.lastEventId
