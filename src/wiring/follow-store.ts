/**
 * Joins those that must not know each other: what the engine tells, the store follows, and what a session learned is
 * proposed for the board when it has ended. Both are opened with the first change, off the way of the turn, and what
 * they were told is in them before the engine has stopped.
 */
import type { Change } from '../engine/sessions/home-changes.ts'
import type { Engine } from '../engine/engine.ts'
import type { SessionId } from '../format/ids.ts'
import { sessionDir } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { statEach } from '../fs/stat-each.ts'
import { serially } from '../lib/coalesce.ts'
import { BOARD } from '../store/board-file.ts'
import type { HomeServices } from '../store/home-services.ts'
import { proposeLearned } from '../store/propose-learned.ts'
import type { Store } from '../store/store.ts'

export function withStore(engine: Engine, services: Pick<HomeServices, 'store' | 'board'>): Engine {
  let store: Promise<Store | undefined> | undefined
  const ended = new Set<SessionId>()
  const propose = serially(async () => {
    const due = [...ended]
    ended.clear()
    const opened = await store
    if (opened === undefined || due.length === 0) return
    // "reprise board" looks at the newest sessions again.
    await proposeLearned(engine.fs, services, opened, due).catch(() => {})
  })
  engine.subscribe((change) => {
    if (change.kind === 'closed') return
    store ??= services.store().catch(() => undefined) // no search now; the next reindex finds what changed
    void store.then((opened) => opened?.follower.changed(change.id))
    if (!changesWhatWasLearned(change)) return
    ended.add(change.id)
    void propose()
  })
  /** Its caller waits: what is being indexed for it hurries. */
  const proposeNow = async () => {
    await (await store)?.follower.settled()
    await propose()
  }
  engine.onErase(async (ids) => {
    await proposeNow()
    await eraseFrom(engine.fs, services, ids)
  })
  return {
    ...engine,
    async stop() {
      await engine.stop()
      await proposeNow()
      await (await store)?.close()
    },
  }
}

/** Who has no store or board yet makes none for this. */
async function eraseFrom(
  fs: SessionFs,
  services: Pick<HomeServices, 'store' | 'board'>,
  ids: readonly SessionId[],
): Promise<void> {
  const isGone = await statEach(fs, ids.map(sessionDir))
  const gone = ids.filter((_, index) => isGone[index] === undefined)
  try {
    if (gone.length > 0) await (await services.board()).forgetSessions(gone)
    // The copy in the store follows the file, which may have been changed.
    else if ((await fs.stat(BOARD)) !== undefined) await (await services.board()).mend()
  } finally {
    // Last: it empties the write-ahead log of what the others deleted, too.
    await (await services.store()).erase(ids)
  }
}

/** A session that wrote something ends with a record of its own. */
const changesWhatWasLearned = (change: Change): boolean =>
  change.kind === 'records'
    ? change.records.some(({ event }) => event.type === 'session.shutdown')
    : change.kind === 'reset' || change.kind === 'deleted'
