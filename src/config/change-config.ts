/**
 * The one way in which the configuration changes: read, changed and written under a lock that all processes of the home
 * heed. A command that asks a person or a server asks before, and changes its own keys alone; nothing is awaited in between.
 */
import { z } from 'zod'
import { setTimeout as pause } from 'node:timers/promises'
import { inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { inTurn } from '../lib/keyed-mutex.ts'
import { isAlive, selfIdentity } from '../lib/process-identity.ts'
import type { Config } from './config-file.ts'
import { CONFIG, readConfig, writeConfig } from './load.ts'

const LOCK = inHome('configLock')
/** Longer than any change takes: it is a read and a write. */
const PATIENCE_MS = 10_000
const RETRY_MS = 20

/** What it is now. Nothing is written when `change` gives back what it was given. */
export const changeConfig = (fs: SessionFs, change: (config: Config) => Config): Promise<Config> =>
  inTurn(fs.lockKey(CONFIG), async () => {
    await lock(fs)
    try {
      const before = await readConfig(fs)
      const after = change(before)
      if (after !== before) await writeConfig(fs, after)
      return after
    } finally {
      await fs.remove(LOCK)
    }
  })

async function lock(fs: SessionFs): Promise<void> {
  const mine = encodeText(JSON.stringify(selfIdentity()))
  const until = performance.now() + PATIENCE_MS
  while (!(await fs.createExclusive(LOCK, mine))) {
    if (await isLeft(fs)) await fs.remove(LOCK)
    else if (performance.now() > until)
      throw new Error(
        `Another process is changing ${fs.nativePath(CONFIG)} and does not end. Nothing was changed. When none is, remove ${fs.nativePath(LOCK)}.`,
      )
    else await pause(RETRY_MS)
  }
}

/** By a process that is no more. */
async function isLeft(fs: SessionFs): Promise<boolean> {
  const bytes = await fs.read(LOCK)
  if (bytes === undefined) return false
  try {
    return isAlive(Holder.parse(JSON.parse(decodeText(bytes)))) === 'dead'
  } catch {
    // Written just now and not whole yet, or by hand: the message of a wait that ends names the place.
    return false
  }
}

const text = z.string()
const Holder = z.object({
  host: text,
  machine: text,
  bootId: text,
  pidSpace: text,
  pid: z.int(),
  startTime: text,
})
