/** Whether a log still is as it was read: rewinds and redos of other processes change it at any moment. */
import type { SessionFs } from '../fs/session-fs.ts'
import { readBackward } from '../log/backward.ts'

/** An event and the byte of the log behind it. */
export type Stood = { readonly id: string; readonly end: number }

/** The event ends there now. */
export async function stands(fs: SessionFs, path: string, { id, end }: Stood): Promise<boolean> {
  for await (const { records } of readBackward(fs, path, { before: end }))
    return records.some((record) => record.event.id === id && record.end === end)
  return false
}
