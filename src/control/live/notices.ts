/**
 * What is told while it happens and never stored: text as it streams, progress, a title, idle. It reaches who watches
 * the session now, on this node at once and on others as a short message; who comes later, or is slow, does without.
 * Nodes tell each other what is watched, so that a machine whose session nobody watches need not say much.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/port.ts'
import type { SessionRow } from '../sessions/stored-session.ts'

export type SessionName = Pick<SessionRow, 'tenant' | 'id'>
export type Told = Readonly<Record<string, unknown>>
type Listener = (notices: readonly Told[]) => void

export interface Notices extends Disposable {
  tell(session: SessionName, notices: readonly Told[]): void
  listen(session: SessionName, listener: Listener): Disposable
  /** On any node, as far as this one has heard. */
  isWatched(session: SessionName): boolean
}

type Message = { readonly node: string } & (
  | { readonly to: string; readonly notices: readonly Told[] }
  | { readonly watched: readonly string[] }
)

/** So long a node gathers what it tells others: each message takes a lock that the whole database shares. */
const GATHER_MS = 50
const SAY_WATCHED_MS = 5000
/** So long it holds; a message may be lost. */
const WATCHED_MS = 3 * SAY_WATCHED_MS
/** A message has room for so many names. */
const MOST_NAMES = 60

export async function openNotices(
  db: Database,
  now: () => number = () => performance.now(),
): Promise<Notices> {
  const node = randomUUID()
  const listeners = new Map<string, Set<Listener>>()
  const watchedElsewhere = new Map<string, number>()
  const waiting = new Map<string, Told[]>()
  let timer: NodeJS.Timeout | undefined

  const deliver = (to: string, notices: readonly Told[]) => {
    for (const listener of listeners.get(to) ?? []) listener(notices)
  }
  const pass = () => {
    timer = undefined
    for (const [to, notices] of waiting) db.pass(JSON.stringify({ node, to, notices }))
    waiting.clear()
  }
  const sayWatched = (names: readonly string[]) => {
    for (let at = 0; at < names.length; at += MOST_NAMES)
      db.pass(JSON.stringify({ node, watched: names.slice(at, at + MOST_NAMES) }))
  }
  const saying =
    db.kind === 'sqlite'
      ? undefined
      : setInterval(() => sayWatched([...listeners.keys()]), SAY_WATCHED_MS).unref()
  const forget = () => {
    for (const [to, until] of watchedElsewhere) if (until < now()) watchedElsewhere.delete(to)
  }
  await db.onPassed((text) => {
    const message = JSON.parse(text) as Message
    if (message.node === node) return
    if ('to' in message) return deliver(message.to, message.notices)
    forget()
    for (const to of message.watched) watchedElsewhere.set(to, now() + WATCHED_MS)
  })
  return {
    tell({ tenant, id }, notices) {
      const to = `${tenant} ${id}`
      deliver(to, notices)
      if (db.kind === 'sqlite') return
      waiting.set(to, [...(waiting.get(to) ?? []), ...notices])
      timer ??= setTimeout(pass, GATHER_MS)
      timer.unref()
    },
    listen({ tenant, id }, listener) {
      const to = `${tenant} ${id}`
      const all = listeners.get(to) ?? new Set()
      listeners.set(to, all.add(listener))
      if (all.size === 1) sayWatched([to])
      return {
        [Symbol.dispose]() {
          all.delete(listener)
          if (all.size === 0) listeners.delete(to)
        },
      }
    },
    isWatched({ tenant, id }) {
      const to = `${tenant} ${id}`
      return listeners.has(to) || (watchedElsewhere.get(to) ?? 0) > now()
    },
    [Symbol.dispose]() {
      clearInterval(saying)
      clearTimeout(timer)
    },
  }
}
