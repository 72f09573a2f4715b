/**
 * Replaces a file of a client that cannot rename: what is to be written, and where, is written down first, so that a
 * client that goes away in the middle leaves the old file, or one that the next to come makes whole.
 */
import { createHash } from 'node:crypto'
import { decodeText } from '../lib/bytes.ts'
import { inTurn } from '../lib/keyed-mutex.ts'
import type { CheckedCalls } from './client-calls.ts'

interface Replacing {
  put(path: string, bytes: Uint8Array): Promise<void>
  /** Resolves when what was begun before is done; nothing is read before that. */
  settled(): Promise<void>
}

type Intent = { readonly path: string; readonly sha256: string; readonly base64: string }

export function openReplacing(
  calls: CheckedCalls,
  /** Where it is written down, as the client writes paths. */
  { binary, intent }: { readonly binary: boolean; readonly intent: string },
): Replacing {
  const key = {}
  let settling: Promise<void> | undefined
  const write = (path: string, bytes: Uint8Array) =>
    binary ? calls.writeBytes(path, bytes) : calls.writeText(path, decodeText(bytes))

  async function settle(): Promise<void> {
    const found = readIntent(await calls.readText(intent))
    if (found !== undefined) {
      const bytes = Buffer.from(found.base64, 'base64')
      // One that is not whole was never acted on: the old file is as it was.
      if (hashOf(bytes) === found.sha256) await write(found.path, bytes)
      await calls.remove(intent)
    }
  }

  return {
    put: (path, bytes) =>
      inTurn(key, async () => {
        const base64 = Buffer.from(bytes).toString('base64')
        const begun: Intent = { path, sha256: hashOf(bytes), base64 }
        await calls.mkdir(
          intent.slice(0, Math.max(intent.lastIndexOf('/'), intent.lastIndexOf('\\'))),
        )
        await calls.writeText(intent, `${JSON.stringify(begun)}\n`)
        await write(path, bytes)
        await calls.remove(intent)
      }),
    settled() {
      settling ??= settle().catch((error: unknown) => {
        // The next call tries again.
        settling = undefined
        throw error
      })
      return settling
    },
  }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Undefined when there is none, or when it was cut off: then nothing was replaced yet. */
function readIntent(text: string | undefined): Intent | undefined {
  if (text === undefined) return undefined
  try {
    const { path, sha256, base64 } = JSON.parse(text) as Partial<Record<keyof Intent, unknown>>
    if (typeof path !== 'string' || typeof sha256 !== 'string' || typeof base64 !== 'string')
      return { path: '', sha256: '', base64: '' }
    return { path, sha256, base64 }
  } catch {
    // Cut off in the middle.
    return { path: '', sha256: '', base64: '' }
  }
}
