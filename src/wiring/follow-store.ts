/**
 * Joins those that must not know each other: what the engine tells, the store follows, and what a session learned is
 * proposed for the board when it has ended. Both are opened with the first change, off the way of the turn, and what
 * they were told is in them before the engine has stopped.
 */
import type { Change } from '../engine/home/changes.ts'
import type { Engine } from '../engine/engine.ts'
import type { SessionId } from '../format/ids.ts'
import { serially } from '../lib/serially.ts'
import type { StoreParts } from './store-tools.ts'
import { PROPOSALS } from '../store/board-file.ts'
import type { Store } from '../store/store.ts'

export function withStore(engine: Engine, parts: StoreParts): Engine {
  let store: Promise<Store | undefined> | undefined
  const ended = new Set<SessionId>()
  const proposeLearned = serially(async () => {
    const due = [...ended]
    ended.clear()
    const opened = await store
    // "reprise board" looks at the newest sessions again.
    if (opened !== undefined && due.length > 0) await propose(parts, opened, due).catch(() => {})
  })
  engine.subscribe((change) => {
    store ??= parts.store().catch(() => undefined) // no search now; the next reindex finds what changed
    void store.then((opened) => opened && follow(opened, change))
    if (!changesWhatWasLearned(change)) return
    ended.add(change.id)
    void proposeLearned()
  })
  return {
    ...engine,
    async stop() {
      await engine.stop()
      await proposeLearned()
      await (await store)?.close()
    },
  }
}

function follow({ follower }: Store, change: Change): void {
  const { id } = change
  if (change.kind === 'records') follower.onRecords(id, change.records)
  else if (change.kind === 'reset') follower.onReset(id, change.cutAt)
  else if (change.kind === 'deleted') follower.onDeleted(id)
  else if (change.kind === 'restored') follower.onRestored(id)
  else if (change.kind === 'forked') follower.onForked(id)
  else follower.onRenamed(id)
}

/** A session that wrote something ends with a record of its own. */
const changesWhatWasLearned = (change: Change): boolean =>
  change.kind === 'records'
    ? change.records.some(({ event }) => event.type === 'session.shutdown')
    : change.kind === 'reset' || change.kind === 'deleted'

/** Who leaves does not wait longer for it; "reprise board" looks at the newest sessions again. */
const LONGEST_MS = 500

async function propose(parts: StoreParts, store: Store, ids: readonly SessionId[]): Promise<void> {
  await store.follower.settled()
  const until = performance.now() + LONGEST_MS
  for (const id of ids) {
    if (performance.now() > until) return
    const learned = (await store.learned(id)) ?? []
    if (learned.length === 0 && (await parts.fs.stat(PROPOSALS)) === undefined) continue
    await (await parts.board()).propose(id, learned)
  }
}
