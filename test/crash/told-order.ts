/** Reads from a trace that nothing was told before it was durable. */
import assert from 'node:assert/strict'
import type { Call } from './strace.ts'

/** Every event that was told stood before in bytes of the log which a later, successful sync covered. */
export function requireSyncedBeforeTold(calls: readonly Call[]): void {
  let written = ''
  let synced = ''
  for (const { name, args, result } of inOrder(calls)) {
    if (/^\d+<[^>]*\/events\.jsonl>/.test(args)) {
      if (name.startsWith('pwrite') && result !== undefined && result > 0) written += args
      if (name === 'ftruncate') written = ''
      if (name === 'fdatasync') {
        // After a failed sync nobody knows what became of the bytes: they have to be written again.
        if (result === 0) synced += written
        written = ''
      }
    }
    const told = name === 'write' ? /^1<[^>]*>, "event ([^\\]+)/.exec(args)?.[1] : undefined
    if (told !== undefined)
      assert.ok(synced.includes(told), `event ${told} was told before it was synced`)
  }
}

/** Before the first event was told: the folder of the log and all above it, up to the one that holds the home. */
export function requireFoldersSynced(calls: readonly Call[], folders: readonly string[]): void {
  const order = inOrder(calls)
  const told = order.findIndex(
    ({ name, args }) => name === 'write' && /^1<[^>]*>, "event /.test(args),
  )
  const created = order.findIndex(
    ({ name, args }) => name === 'openat' && /events\.jsonl", [^)]*O_CREAT/.test(args),
  )
  assert.ok(created !== -1 && told > created)
  const between = order
    .slice(created, told)
    .filter(({ name, result }) => name === 'fsync' && result === 0)
  const missing = folders.filter(
    (folder) => !between.some(({ args }) => args.includes(`<${folder}>`)),
  )
  assert.deepEqual(missing, [], 'a power cut could take the name of the log away')
}

const inOrder = (calls: readonly Call[]): readonly Call[] =>
  calls.toSorted((one, other) => one.endedAt - other.endedAt)
