/**
 * What a session that has written nothing yet would begin its log with, or its next part of it. It is told when it
 * happens and goes into the log, with the id and the time by which it was told, before the next thing that happens.
 */
import type { Draft, Event, ToldDraft } from '../../format/event.ts'
import { asEventId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { createFolder } from '../../state/fold.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { commit } from './commit.ts'
import { stateOf, type LiveSession, type Opening } from './live-session.ts'

type Stamps = Pick<EngineContext, 'newId' | 'clock'>

export const toldAhead = <D extends Draft>({ newId, clock }: Stamps, draft: D) => ({
  ...draft,
  id: asEventId(newId()),
  timestamp: clock().toISOString(),
})

/** A choice made before the first message waits with it: it alone makes no log. */
export async function commitOrWait(
  engine: EngineContext,
  session: LiveSession,
  draft: Draft,
): Promise<void> {
  const { opening, hasLog } = session.written
  if (hasLog || opening === undefined) {
    await commit(engine, session, [draft])
    return
  }
  const ahead = toldAhead(engine, draft)
  session.written.opening = (...given) => [...opening(...given), ahead]
}

/** In the order in which they will stand in the log. */
export const unwritten = (session: LiveSession): readonly Event[] =>
  told(session, session.written.opening)

function told(session: LiveSession, opening: Opening | undefined): readonly Event[] {
  const { kept } = session.written
  const state = stateOf(session)
  let parentId = state.lastEventId ?? null
  return (opening?.(state, undefined, undefined, kept) ?? []).filter(isTold).map((draft) => {
    const event = { ...draft, parentId } as Event
    parentId = event.id
    return event
  })
}

/** What was chosen before anything is in the log counts, though nothing is in it. */
export function stateWithUnwritten(session: LiveSession): SessionState {
  if (session.written.hasLog) return { ...stateOf(session), ...chosenAtResume(session) }
  const folder = createFolder(stateOf(session))
  const { opening, underWay } = session.written
  for (const event of told(session, opening ?? underWay)) folder.push({ event, start: 0, end: 0 })
  return { ...folder.state(), eventCount: 0 }
}

function chosenAtResume(session: LiveSession): Partial<SessionState> {
  const { opening, underWay } = session.written
  const resumed = told(session, opening ?? underWay).find(
    (event) => event.type === 'session.resume',
  )
  const { selectedModel: model, reasoningEffort } = resumed?.data ?? {}
  return defined({ model, reasoningEffort: reasoningEffort ?? undefined })
}

const isTold = (draft: Draft | ToldDraft): draft is ToldDraft => 'id' in draft
