/** Whether the bulky parts of events, which stand beside the log, are there and as they were written. */
import { layout } from '../format/layout.ts'
import { inSession, readName, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Fault } from '../lib/fault.ts'
import { fieldsOf, objectsOf } from '../lib/fields.ts'
import { hashOf, withFile } from './range.ts'
import type { LogRecord } from './record.ts'

/** Gathers what events name, one after another. */
export function blobNames(): {
  readonly named: ReadonlySet<string>
  meet(record: LogRecord): void
} {
  const named = new Set<string>()
  return {
    named,
    meet({ event }) {
      // Also of an event that is not known, or damaged.
      for (const { sha256 } of objectsOf(fieldsOf(fieldsOf(event.data)['reprise'])['blobs']))
        if (typeof sha256 === 'string') named.add(sha256)
    },
  }
}

export async function* checkBlobs(
  fs: SessionFs,
  dir: string,
  named: ReadonlySet<string>,
): AsyncGenerator<Fault> {
  const found = new Set<string>()
  for (const { name: sha256 } of await fs.list(sessionFolder(dir, 'blob'))) {
    if (readName(layout.session.blob, sha256) === undefined) continue
    found.add(sha256)
    const path = inSession(dir, 'blob', { sha256 })
    const hash = await withFile(fs, path, (file) => hashOf(file, { start: 0, end: file.size }))
    if (hash !== sha256) yield { path, kind: 'damaged', problem: 'is not as it was written' }
  }
  for (const sha256 of named)
    if (!found.has(sha256) && readName(layout.session.blob, sha256) !== undefined)
      yield { path: inSession(dir, 'blob', { sha256 }), kind: 'damaged', problem: 'is gone' }
}
