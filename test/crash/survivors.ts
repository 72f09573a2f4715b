/** What must be true of a session after its process died, wherever that was. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { EngineError } from '../../src/engine/errors.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { converse, eventsOf, promptsOf, scripted } from '../support/engine.ts'

export async function withEngine<T>(
  home: string,
  action: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = createEngine({ cwd: process.cwd(), fs: openDisk(home), agent: scripted() })
  try {
    return await action(engine)
  } finally {
    await engine.stop()
  }
}

/** Every acknowledged event once and in order, the chain unbroken, nothing refused, and the next turn works. */
export async function requireSurvival(
  home: string,
  id: SessionId,
  acknowledged: readonly string[],
): Promise<void> {
  await withEngine(home, async (engine) => {
    if (acknowledged.length === 0 && !(await exists(engine, id)))
      await engine.create({ sessionId: id })
    else requireAll(await requireChain(engine, id), acknowledged)
    // The first turn opens the log for writing, and so settles a redo that was cut short.
    assert.equal((await converse(engine, id, { prompt: 'after the crash' })).status, 'completed')
    const before = await promptsOf(engine, id)
    assert.equal(before.at(-1), 'after the crash')
    assert.equal((await converse(engine, id, { prompt: 'and on' })).status, 'completed')
    assert.deepEqual(await promptsOf(engine, id), [...before, 'and on'])
    requireAll(await requireChain(engine, id), acknowledged)
    assert.deepEqual((await (await engine.open(id)).events()).findings, [])
  })
}

/** The ids in the log: each is the parent of the next. */
export async function requireChain(engine: Engine, id: SessionId): Promise<readonly string[]> {
  const events = await eventsOf(engine, id)
  const ids = events.map((event) => event.id)
  assert.deepEqual(
    events.map(({ parentId }) => parentId),
    [null, ...ids.slice(0, -1)],
    'the chain is broken',
  )
  assert.equal(new Set(ids).size, ids.length, 'an event stands twice')
  return ids
}

export function requireAll(ids: readonly string[], acknowledged: readonly string[]): void {
  const wanted = new Set(acknowledged)
  assert.deepEqual(
    ids.filter((id) => wanted.has(id)),
    acknowledged,
    'acknowledged events are lost, or stand in another order',
  )
}

export async function exists(engine: Engine, id: SessionId): Promise<boolean> {
  try {
    await (await engine.open(id)).resume()
    return true
  } catch (error) {
    // A log without a byte is of a process that died before its first event was written.
    if (
      error instanceof EngineError &&
      /not_found|corrupt/.test(error.code) &&
      (await isEmpty(engine, id))
    )
      return false
    throw error
  }
}

async function isEmpty(engine: Engine, id: SessionId): Promise<boolean> {
  return ((await engine.fs.stat(`session-state/${id}/events.jsonl`))?.size ?? 0) === 0
}

export async function bytesOf(engine: Engine, id: SessionId): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.open(id)).raw()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export const acknowledgedBy = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => (line.startsWith('event ') ? [line.slice('event '.length)] : []))
