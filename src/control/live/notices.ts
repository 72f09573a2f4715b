/**
 * What is told while it happens and never stored: text as it streams, progress, a title, idle. It reaches who watches
 * the session now, on this node at once and on others as a short message; who comes later, or is slow, does without.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/port.ts'
import type { SessionRow } from '../sessions/session.ts'

export type SessionName = Pick<SessionRow, 'tenant' | 'id'>
export type Told = Readonly<Record<string, unknown>>
type Listener = (notices: readonly Told[]) => void

export interface Notices {
  tell(session: SessionName, notices: readonly Told[]): void
  listen(session: SessionName, listener: Listener): Disposable
}

type Message = { readonly node: string; readonly to: string; readonly notices: readonly Told[] }

/** So long a node gathers what it tells others: each message takes a lock that the whole database shares. */
const GATHER_MS = 50

export async function openNotices(db: Database): Promise<Notices> {
  const node = randomUUID()
  const listeners = new Map<string, Set<Listener>>()
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
  await db.onPassed((text) => {
    const message = JSON.parse(text) as Message
    if (message.node !== node) deliver(message.to, message.notices)
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
      return {
        [Symbol.dispose]() {
          all.delete(listener)
          if (all.size === 0) listeners.delete(to)
        },
      }
    },
  }
}
