/** How far a guest comes: to the routes that say so, to one session, for as long as the link holds. */
import type { Guest } from './guest.ts'
import { WebFailure } from './failure.ts'
import { routes } from './routes.ts'
import type { SseConnection } from './sse-connection.ts'

const forGuests: ReadonlySet<string> = new Set(
  routes.filter(({ guests }) => guests).map(({ method, path }) => `${method} ${path}`),
)

/** `matched` is all that the request leads to, as the router itself sees it: what is not named is closed. */
export function checkOpen(
  matched: readonly { readonly method: string; readonly path: string }[],
): void {
  if (matched.some(({ method, path }) => forGuests.has(`${method} ${path}`))) return
  throw new WebFailure(
    'forbidden',
    'This link gives a read-only view of one session. Nothing was changed.',
  )
}

/** Another session is answered as one that does not exist: whether it does is no guest's business. */
export function checkOwn(guest: Guest | undefined, params: unknown): void {
  const { id } = params as { readonly id?: unknown }
  if (guest !== undefined && id !== undefined && id !== guest.sessionId) throw nothingThere()
}

const nothingThere = () =>
  new WebFailure('not_found', 'There is no such session, or nothing like this in it.')

/** What was not written for clients may name files of the machine. */
export function failureForGuest(failure: WebFailure, error: unknown): WebFailure {
  if (error instanceof WebFailure) return error
  if (failure.code === 'not_found') return nothingThere()
  return new WebFailure(
    failure.code,
    'This cannot be shown now. Ask the person who gave you the link.',
  )
}

/** Ends the stream when nothing is left of the link: it has expired, or the owner has ended all of them. */
export function endWithLink(
  leftMs: () => Promise<number>,
  connection: SseConnection,
  { everyMs }: { readonly everyMs: number },
): void {
  let timer: NodeJS.Timeout | undefined
  connection.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  const look = async () => {
    // A key that cannot be read opens nothing.
    const left = await leftMs().catch(() => 0)
    if (connection.signal.aborted) return
    if (left > 0) timer = setTimeout(look, Math.min(left, everyMs))
    else connection.end()
  }
  void look()
}
