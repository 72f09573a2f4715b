/** That sessions of the tenant have changed, for a list that is kept open: which, and what its machine does. */
import type { Control } from '../control.ts'
import type { ChangedSession } from '../live/changed-sessions.ts'
import type { Asker } from '../people/scopes.ts'
import { frame, sseOf } from './sse.ts'

const PING_MS = 15_000

export const activity = (control: Control, asker: Asker, signal: AbortSignal): Response =>
  sseOf(control, { asker, signal }, (until) => framesOf(control, asker, until))

async function* framesOf(
  { changes }: Control,
  { tenant, person }: Asker,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const waiting = new Map<string, ChangedSession>()
  let woken = () => {}
  using _listening = changes.listen(tenant, (changed) => {
    for (const row of changed) waiting.set(row.id, row)
    woken()
  })
  yield frame('ready', {})
  while (!signal.aborted) {
    if (waiting.size === 0) {
      const over = AbortSignal.any([signal, AbortSignal.timeout(PING_MS)])
      await new Promise<void>((resolve) => {
        woken = resolve
        over.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    const rows = [...waiting.values()]
    waiting.clear()
    yield rows.map((row) => changedFrame(person, row)).join('') || ':\n\n'
  }
}

/** One that was private all along is never mentioned; one that was just made private is gone for others. */
function changedFrame(person: string, row: ChangedSession): string {
  const { id, state } = row
  const isOwn = row.person === person
  if (!isOwn && row.sharing !== 'team' && !row.wasShared) return ''
  const isThere = row.trashed === null && (isOwn || row.sharing === 'team')
  return frame('changed', { id, kind: isThere ? 'status' : 'deleted', ...(isThere && { state }) })
}
