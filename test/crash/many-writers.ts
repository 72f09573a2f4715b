/** Many processes send turns to one session at once. */
import assert from 'node:assert/strict'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, eventsOf, promptsOf } from '../support/engine.ts'
import { startWriter } from './start-writer.ts'
import { requireChain, withEngine } from './survivors.ts'

export async function sendFromMany(home: string, processes: number, turns: number): Promise<void> {
  const id = await withEngine(home, async (engine) => {
    const { id: created } = await engine.create()
    await converse(engine, created, { prompt: 'the first turn' })
    return created
  })
  const wanted = ['the first turn']
  const names = Array.from({ length: processes }, (_, number) => `process-${number}`)
  await Promise.all(
    names.map(async (name) => {
      await using writer = startWriter(home, 'send', id, [String(turns), name])
      await writer.ended()
      const prompts = Array.from({ length: turns }, (_, turn) => `${name} ${turn}`)
      assert.deepEqual(
        writer.lines,
        prompts.map((prompt) => `done ${prompt}`),
      )
      wanted.push(...prompts)
    }),
  )
  await requireOneWriter(home, id, wanted)
}

/** A second writer would show in the log: as a fork of the chain, or as an event in the middle of another's turn. */
async function requireOneWriter(
  home: string,
  id: SessionId,
  wanted: readonly string[],
): Promise<void> {
  await withEngine(home, async (engine) => {
    await requireChain(engine, id)
    assert.deepEqual((await (await engine.open(id)).events()).findings, [])
    assert.deepEqual((await promptsOf(engine, id)).toSorted(), wanted.toSorted())
    const turns: string[] = []
    for (const { type } of await eventsOf(engine, id)) {
      if (type === 'user.message') turns.push(type)
      else if (turns.length > 0) turns.push(`${turns.pop()} ${type}`)
    }
    // What stands between two turns is the coming and going of processes.
    const shapes = turns.map((turn) =>
      turn.replaceAll(/ session\.(resume|shutdown|info)/g, ' ·').replace(/( ·)+$/, ''),
    )
    assert.deepEqual(
      new Set(shapes),
      new Set(['user.message assistant.turn_start assistant.message assistant.turn_end']),
    )
  })
}
