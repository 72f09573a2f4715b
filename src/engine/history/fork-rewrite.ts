/** What changes in a line when its history moves to a fork: the session's own id and folder, nothing else. */
import type { SessionId } from '../../format/ids.ts'
import { spliceJson } from '../../lib/json-splice.ts'

type Identity = { readonly id: SessionId; readonly folder: string }

/** Gives the new line, or undefined when it stays as it is: a text that only mentions the id is not ours to change. */
export function rewriteForFork({
  from,
  to,
}: {
  from: Identity
  to: Identity & { startTime: string }
}): (line: Uint8Array) => Uint8Array | undefined {
  return (bytes) => {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    let event: { type?: unknown; data?: Record<string, unknown> }
    try {
      event = JSON.parse(line)
    } catch {
      // Damage travels as it is.
      return undefined
    }
    const edits = editsFor(event)
    if (edits.length === 0) return undefined
    return Buffer.from(spliceJson(line, edits), 'utf8')
  }

  function editsFor({ type, data }: { type?: unknown; data?: Record<string, unknown> }) {
    if (type === 'session.start') {
      return [
        { path: ['data', 'sessionId'], value: JSON.stringify(to.id) },
        { path: ['data', 'startTime'], value: JSON.stringify(to.startTime) },
        { path: ['data', 'remoteSteerable'], value: undefined },
      ]
    }
    const edits: { path: string[]; value: string }[] = []
    if (data?.['sessionId'] === from.id) {
      edits.push({ path: ['data', 'sessionId'], value: JSON.stringify(to.id) })
    }
    const path = data?.['checkpointPath']
    if (typeof path === 'string' && path.startsWith(from.folder)) {
      edits.push({
        path: ['data', 'checkpointPath'],
        value: JSON.stringify(to.folder + path.slice(from.folder.length)),
      })
    }
    return edits
  }
}
