/** Wires the session store and the board of a home. What they hold has no secret that can be recognised. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { howToTurnOn, isOn } from '../config/features.ts'
import type { Config } from '../config/config-file.ts'
import { readConfig } from '../config/load.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { cacheFolder } from '../lib/cache-folder.ts'
import { openRedactor } from './open-redactor.ts'
import { openBoard, type Board } from '../store/board.ts'
import type { Embedder } from '../store/embeddings/embedder.ts'
import type { StampedSession } from '../store/stamps.ts'
import { createStore, type Store } from '../store/store.ts'

export async function openStoreAt({
  home,
  onTrouble,
}: {
  readonly home: string
  readonly onTrouble: (message: string) => void
}): Promise<Store> {
  const fs = openDisk(home)
  const place = { cacheFolder: cacheFolder(), onTrouble }
  const config = await readConfig(fs).catch(() => ({})) // whatever needs it says what is wrong with it
  if (!isOn(config, 'sessionStore')) {
    const { storeOff } = await import('../store/store-off.ts')
    return storeOff(fs, place, howToTurnOn('sessionStore'))
  }
  return createStore(fs, {
    ...place,
    redact: await redactWith(fs),
    startReader: () => startReader(home),
    knownStamps: () => knownStamps(fs),
    embedder: () => embedderOf(fs),
  })
}

/** As the configuration says now. */
async function embedderOf(fs: SessionFs): Promise<Embedder | undefined> {
  const { search } = await readConfig(fs).catch((): Config => ({})) // as above
  if (search?.embedding === undefined) return undefined
  const { createEmbedder } = await import('../store/embeddings/embedder.ts')
  const { apiKeyEnv, ...given } = search.embedding
  const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv]
  return createEmbedder({ ...given, apiKey })
}

async function knownStamps(fs: SessionFs): Promise<StampedSession[] | undefined> {
  const { sessionStamps } = await import('../engine/catalogue/catalogue.ts')
  const known = await sessionStamps(fs)
  return known?.map(({ bytes: logSize, ...stamps }) => ({ logSize, ...stamps }))
}

/** Undefined on a machine that has no second core for it. */
function startReader(home: string): Worker | undefined {
  if (availableParallelism() < 2) return undefined
  return new Worker(readerFile(), { workerData: { home } })
}

/** From source the thread is the file beside this one; built, it is a bundle in the root of dist. */
function readerFile(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./store-reader.ts', here)
  return new URL(/\/chunks\/[^/]+$/.test(here) ? '../store-reader.js' : './store-reader.js', here)
}

export async function openBoardAt(home: string): Promise<Board> {
  const fs = openDisk(home)
  return openBoard(fs, { cacheFolder: cacheFolder(), redact: await redactWith(fs) })
}

export async function redactWith(fs: SessionFs): Promise<(text: string) => string> {
  const redactor = await openRedactor(fs)
  return (text) => redactor.redactText(text).text
}
