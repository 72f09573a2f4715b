/**
 * Watches one folder of a disk. The system's own notices are quick but may be missing: too many watchers,
 * network file systems, a folder that does not exist yet. So the folder is also looked at every two seconds.
 * Neither keeps the process alive.
 */
import { readdirSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'
import { identityOf, lookAt } from './disk-root.ts'
import { isMissing } from './fs-error.ts'

/** Looking at each file of a large folder would cost more than it tells; there the names must do. */
const MOST_FILES = 1000

export function watchFolder(full: string, onChange: () => void, pollMs: number): Disposable {
  let isDisposed = false
  let isScheduled = false
  let seen = look(full)
  let native = attach()

  const poll = setInterval(() => {
    const now = look(full)
    if (now.text === seen.text) return
    // The name stands for another folder now: the old notices come from the one that is gone.
    if (now.folder !== seen.folder) {
      native?.close()
      native = attach()
    }
    seen = now
    changed()
  }, pollMs)
  poll.unref()

  function attach(): FSWatcher | undefined {
    try {
      const watcher = watch(full, { persistent: false }, changed)
      watcher.on('error', () => watcher.close())
      return watcher
    } catch {
      // No folder yet, or too many watchers: the look every two seconds does it alone.
      return undefined
    }
  }

  /** Many notices of one burst become one call. */
  function changed(): void {
    if (isScheduled || isDisposed) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      if (!isDisposed) onChange()
    })
  }

  return {
    [Symbol.dispose]: () => {
      isDisposed = true
      clearInterval(poll)
      native?.close()
    },
  }
}

function look(full: string): { readonly folder: string; readonly text: string } {
  const stats = lookAt(full)
  if (stats === undefined) return { folder: '', text: '' }
  const folder = identityOf(stats)
  const parts = [folder, String(stats.mtimeMs)]
  try {
    const names = readdirSync(full)
    for (const name of names.length > MOST_FILES ? [] : names) {
      const entry = lookAt(path.join(full, name))
      if (entry !== undefined)
        parts.push(name, identityOf(entry), String(entry.size), String(entry.mtimeMs))
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return { folder, text: parts.join('\n') }
}
