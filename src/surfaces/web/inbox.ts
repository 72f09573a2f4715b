/**
 * What a person should know of: sessions that wait for an answer, that work, that failed or that have ended a turn
 * lately. How a session ended is read from the end of its log, once for each size of it.
 */
import { leftWords } from '../../commands/reopen.ts'
import type { LeftOpen } from '../../engine/sessions/crash-recovery.ts'
import type { SessionSummary } from '../../engine/catalogue/catalogue-row.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { permissionAsk, questionAsk } from '../../state/asks.ts'
import { howItEnded, withoutMarkup, type Ending } from '../../state/ending.ts'
import { sessionTitle } from '../../state/session-title.ts'
import { defined } from '../../lib/defined.ts'
import type { InboxAnswer } from './api.ts'

type Item = InboxAnswer['items'][number]

/** Who was away longer looks at the list. */
const DAYS_MS = 7 * 86_400_000
const MOST = 60
const LAST_EVENTS = 12

const endings = new WeakMap<Engine, Map<SessionId, { bytes: number; ending: Ending }>>()

export async function inboxOf(engine: Engine, now: number): Promise<InboxAnswer> {
  const running = await engine.running()
  const since = new Date(now - DAYS_MS).toISOString()
  const all = await engine.list()
  const recent = all.filter(({ id, modifiedAt }) => running.has(id) || modifiedAt >= since)
  const left = (await engine.leftOpen()).filter(({ isTold }) => !isTold)
  const items = left.map(leftItem)
  const isLeft = new Set(items.map(({ id }) => id))
  for (const session of recent.slice(0, MOST)) {
    if (isLeft.has(session.id)) continue
    const status = running.get(session.id)
    const item =
      status === undefined ? await ended(engine, session) : await atWork(engine, session, status)
    if (item !== undefined) items.push(item)
  }
  // What is not looked at any more is read again when it is.
  const known = endings.get(engine)
  const shown = new Set(recent.slice(0, MOST).map(({ id }) => id))
  for (const id of known?.keys() ?? []) if (!shown.has(id)) known?.delete(id)
  return { items }
}

const leftItem = (left: LeftOpen): Item => ({
  ...about(left.session),
  why: 'left',
  text: leftWords(left).join(', '),
  asks: [],
})

/** With `restore` they are opened here, each with what waits in it; either way nobody is told of them again. */
export async function settleLeft(engine: Engine, { restore }: { readonly restore: boolean }) {
  const left = await engine.leftOpen()
  if (restore) for (const { session } of left) await (await engine.open(session.id)).resume()
  await engine.toldLeftOpen()
}

const about = ({ id, name, summary, cwd, repository, branch, modifiedAt }: SessionSummary) => ({
  id,
  title: sessionTitle(defined({ name, summary }), id.slice(0, 8)),
  modifiedAt,
  ...defined({ cwd, repository, branch }),
})

async function atWork(
  engine: Engine,
  session: SessionSummary,
  status: 'running' | 'waiting',
): Promise<Item> {
  if (status === 'running') return { ...about(session), why: 'works', text: '', asks: [] }
  const { at, requests, questions } = await (await engine.open(session.id)).pending()
  const asks = [
    ...requests.flatMap((event) =>
      event.type === 'permission.requested' ? [permissionAsk(event.data, at !== 'foreign')] : [],
    ),
    ...questions.map(questionAsk),
  ]
  return { ...about(session), why: 'waits', text: withoutMarkup(asks[0]?.what ?? ''), asks }
}

async function ended(engine: Engine, session: SessionSummary): Promise<Item | undefined> {
  const known = endings.get(engine) ?? new Map<SessionId, { bytes: number; ending: Ending }>()
  endings.set(engine, known)
  const { id, bytes } = session
  const before = known.get(id)
  // What cannot be read is told by its own page.
  const fresh = async () => read(await engine.open(id)).catch(() => undefined) // as said above
  const ending = before?.bytes === bytes ? before.ending : await fresh()
  if (ending === undefined) return undefined
  known.set(id, { bytes, ending })
  if (ending.how === 'nothing') return undefined
  return { ...about(session), why: ending.how, text: ending.text, asks: [] }
}

async function read(session: Session): Promise<Ending> {
  const { events } = await session.events({ direction: 'backward', limit: LAST_EVENTS })
  return howItEnded(events)
}
