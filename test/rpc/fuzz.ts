/**
 * Frames that no client would send, by the thousand: broken headers, broken JSON, odd messages, wrong parameters of
 * every method. After each connection the server must still answer. A seed gives the same frames again.
 */
import { methods } from '../../src/surfaces/rpc/methods.ts'
import { contentLength } from '../../src/lib/json-rpc/content-length.ts'
import { createdBy, startServer } from './in-process.ts'

/** Small and repeatable; chance need not be good here. */
function seeded(seed: number) {
  let state = seed >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>>= 0)
  }
  const below = (limit: number) => next() % limit
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  return { below, pick }
}

type Chance = ReturnType<typeof seeded>

/** It would be the end of what is tested. */
const ENDING: ReadonlySet<string> = new Set(['runtime.shutdown'])
const KEYS = ['sessionId', 'prompt', 'eventId', 'path', 'cursor', 'max', 'id', 'name', 'mode', 'x']
const NAMES = Object.keys(methods).filter((name) => !ENDING.has(name))

function value(chance: Chance, sessionId: string, depth = 0): unknown {
  const kind = chance.below(depth > 3 ? 8 : 11)
  if (kind === 0) return null
  if (kind === 1) return chance.below(2) === 0
  if (kind === 2) return chance.pick([0, -1, 1e308, 0.5, 2 ** 53])
  if (kind === 3) return sessionId
  if (kind === 4)
    return chance.pick(['', '..', '\u0000', '\ud800', 'start', 'f.x', 'b.', '/', '__proto__'])
  if (kind === 5) return 'x'.repeat(chance.below(300))
  if (kind === 6) return [1, sessionId]
  if (kind === 7) return {}
  if (kind === 8)
    return Array.from({ length: chance.below(4) }, () => value(chance, sessionId, depth + 1))
  return Object.fromEntries(
    Array.from({ length: chance.below(5) }, () => [
      chance.pick(KEYS),
      value(chance, sessionId, depth + 1),
    ]),
  )
}

/** A whole frame with something odd in it. */
function oddFrame(chance: Chance, sessionId: string, id: number): Buffer {
  const kind = chance.below(20)
  const message: Record<string, unknown> = { jsonrpc: '2.0', id }
  const name = chance.pick(NAMES)
  if (kind < 15) {
    const fuzzed = value(chance, sessionId)
    const isObject = typeof fuzzed === 'object' && fuzzed !== null && !Array.isArray(fuzzed)
    const named = isObject && chance.below(3) > 0 ? { sessionId, ...fuzzed } : fuzzed
    return contentLength.encode({ ...message, method: name, params: named })
  }
  if (kind === 15) return Buffer.from('Content-Length: 5\r\n\r\n{"a":')
  if (kind === 16) return contentLength.encode({ ...message, method: value(chance, sessionId) })
  if (kind === 17) return contentLength.encode({ id: value(chance, sessionId), method: name })
  if (kind === 18)
    return contentLength.encode({ id: chance.below(9), result: value(chance, sessionId) })
  return contentLength.encode(value(chance, sessionId) ?? null)
}

/** After these nobody knows where the next frame begins. */
const BREAKING = [
  'Content-Length: -1\r\n\r\n',
  'Content-Length: 99999999999\r\n\r\n',
  'Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  'Content-Type: x\r\n\r\n{}',
  'GET / HTTP/1.1\r\n\r\n',
  '\r\n\r\n',
  'x'.repeat(5000),
]

const FRAMES_EACH = 40

export type Fuzzed = { readonly frames: number; readonly connections: number }

/** Every frame has been taken in when this resolves: each connection ends with a question that is answered. */
export async function fuzz({ frames, seed }: { frames: number; seed: number }): Promise<Fuzzed> {
  const chance = seeded(seed)
  await using served = await startServer()
  let connections = 0
  for (let sent = 0; sent < frames; connections++) {
    const client = served.connect()
    const sessionId = await createdBy(client)
    for (let at = 0; at < FRAMES_EACH && sent < frames; at++, sent++) {
      const frame = oddFrame(chance, sessionId, 1_000_000 + sent)
      const cut = chance.below(frame.length)
      client.stream.write(frame.subarray(0, cut))
      client.stream.write(frame.subarray(cut))
    }
    await client.call('ping')
    client.stream.write(chance.pick(BREAKING))
    await client.ended
  }
  return { frames, connections }
}

if (process.argv[1] === import.meta.filename) {
  const [frames = '100000', seed = '1'] = process.argv.slice(2)
  const done = await fuzz({ frames: Number(frames), seed: Number(seed) })
  process.stdout.write(
    `${done.frames} frames on ${done.connections} connections: still answering\n`,
  )
}
