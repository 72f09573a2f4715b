/** A home on disk with logs that a test writes itself, and the store of it. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Draft } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { createStore, type Store, type StoreOptions } from '../../src/store/store.ts'
import { logOf, started } from '../log-of.ts'

export const sessionId = (number: number): SessionId =>
  `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111` as SessionId

export interface StoreHome extends AsyncDisposable {
  readonly path: string
  /** What was told about the store, in order. */
  readonly troubles: readonly string[]
  log(id: SessionId): string
  /** Writes a whole log, in place of one that may be there. */
  write(id: SessionId, drafts: readonly Draft[], yaml?: string): void
  append(id: SessionId, drafts: readonly Draft[]): void
  store(options?: Partial<StoreOptions>): Store
}

export function openStoreHome(): StoreHome {
  const path = mkdtempSync(join(tmpdir(), 'reprise-store-'))
  const stores: Store[] = []
  const troubles: string[] = []
  const folder = (id: SessionId) => join(path, 'session-state', id)
  const log = (id: SessionId) => join(folder(id), 'events.jsonl')
  const lines = (drafts: readonly Draft[]) =>
    logOf(drafts)
      .map(({ event }) => `${JSON.stringify({ ...event, id: crypto.randomUUID() })}\n`)
      .join('')
  return {
    path,
    troubles,
    log,
    write(id, drafts, yaml) {
      mkdirSync(folder(id), { recursive: true })
      writeFileSync(log(id), lines([started({ sessionId: id }), ...drafts]))
      if (yaml !== undefined)
        writeFileSync(join(folder(id), 'workspace.yaml'), `id: ${id}\n${yaml}`)
    },
    append: (id, drafts) => appendFileSync(log(id), lines(drafts)),
    store(options = {}) {
      const onTrouble = (message: string) => void troubles.push(message)
      const cacheFolder = join(path, 'cache')
      const store = createStore(openDisk(path), { cacheFolder, onTrouble, ...options })
      stores.push(store)
      return store
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()))
      rmSync(path, { recursive: true, force: true })
    },
  }
}
