/**
 * The session store of a home that wants none: no index is made or followed, and a question is answered with that. What an
 * earlier index holds of an erased session goes all the same.
 */
import { StoreUnavailable, connect, type ConnectionOptions } from './connection.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Store } from './store.ts'

/** Waiting does not help: it is turned off. */
export class StoreOff extends StoreUnavailable {}

/** `reason`: how it is turned on again. */
export function storeOff(fs: SessionFs, options: ConnectionOptions, reason: string): Store {
  const refuse = async (): Promise<never> => {
    throw new StoreOff(`There is no index of sessions here. ${reason} Sessions are not affected.`)
  }
  return {
    follower: { changed() {}, settled: async () => {}, close() {} },
    search: refuse,
    reindex: refuse,
    keepVectors: refuse,
    learned: refuse,
    changedSince: refuse,
    turnCounts: refuse,
    path: refuse,
    isStale: refuse,
    catchUp: refuse,
    async erase(ids) {
      const { erase } = await import('./erase.ts')
      const connection = connect(fs, options)
      try {
        await erase(connection, fs, ids, options)
      } finally {
        connection.close()
      }
    },
    close: async () => {},
  }
}
