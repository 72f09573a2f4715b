/**
 * Joins the two that must not know each other: what the engine tells, the store follows. The store is opened with
 * the first change, off the way of the turn, and what it was told is in it before the engine has stopped.
 */
import type { Change } from './engine/changes.ts'
import type { Engine } from './engine/engine.ts'
import type { Store } from './store/store.ts'

export function withStore(engine: Engine, openStore: () => Promise<Store>): Engine {
  let store: Promise<Store | undefined> | undefined
  engine.subscribe((change) => {
    store ??= openStore().catch(() => undefined) // no search now; the next reindex finds what changed
    void store.then((opened) => opened && follow(opened, change))
  })
  return {
    ...engine,
    async stop() {
      await engine.stop()
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
