/** Words that programs keep with a session, by key. They mean nothing to us and are no part of its history. */
import type { SessionId } from '../../format/ids.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import type { EngineContext } from '../engine-context.ts'
import { save } from '../live/create.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from '../live/live-session.ts'
import { inSession } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'

type ClientMetadataRead =
  | { readonly status: 'ok'; readonly metadata: Readonly<Record<string, string>> }
  | { readonly status: 'notFound' | 'corrupt' | 'unsupportedVersion' }

type ClientMetadataChange = {
  readonly clear?: boolean
  readonly remove?: readonly string[]
  readonly set?: Readonly<Record<string, string>>
}

const VERSION = 1
const MAX_BYTES = 64 * 1024
const pathIn = (dir: string): string => inSession(dir, 'clientMetadata')

export async function readClientMetadata(
  engine: EngineContext,
  id: SessionId,
): Promise<ClientMetadataRead> {
  const dir = sessionDir(id)
  const bytes = await engine.fs.read(pathIn(dir))
  if (bytes !== undefined) return parse(decodeText(bytes))
  if (engine.live.has(id) || (await engine.fs.stat(dir)) !== undefined)
    return { status: 'ok', metadata: {} }
  return { status: 'notFound' }
}

export const updateClientMetadata = (
  engine: EngineContext,
  session: LiveSession,
  { clear = false, remove = [], set = {} }: ClientMetadataChange,
): Promise<Readonly<Record<string, string>>> =>
  inTurn(engine.fs.lockKey(pathIn(session.dir)), async () => {
    const read = await readClientMetadata(engine, session.id)
    if (read.status !== 'ok' && !clear) {
      throw new EngineError(
        'corrupt',
        `The client metadata of session ${session.id} cannot be read. Nothing was changed. Clear it to begin anew.`,
      )
    }
    const kept = new Map(Object.entries(read.status === 'ok' && !clear ? read.metadata : {}))
    for (const key of remove) kept.delete(key)
    for (const [key, value] of Object.entries(set)) kept.set(key, value)
    const metadata = Object.fromEntries(kept)
    const bytes = encodeText(`${JSON.stringify({ version: VERSION, metadata })}\n`)
    if (bytes.length > MAX_BYTES) {
      throw new EngineError(
        'invalid',
        `Client metadata may take ${MAX_BYTES} bytes, not ${bytes.length}. Nothing was changed.`,
      )
    }
    await save(engine, session)
    await engine.fs.writeAtomic(pathIn(session.dir), bytes, { durable: true })
    return metadata
  })

function parse(text: string): ClientMetadataRead {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The answer itself says so, in the words of the SDK.
    return { status: 'corrupt' }
  }
  const { version, metadata } = (value ?? {}) as { version?: unknown; metadata?: unknown }
  if (typeof version === 'number' && version > VERSION) return { status: 'unsupportedVersion' }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return { status: 'corrupt' }
  const entries = Object.entries(metadata).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { status: 'ok', metadata: Object.fromEntries(entries) }
}
