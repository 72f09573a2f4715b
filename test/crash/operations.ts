/** What the crash tests do with a session, by name. Each must leave before or after, wherever it is cut short. */
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'

const operations = {
  send: (engine, id) => engine.send(id, { prompt: 'one more turn' }),
  undo: (engine, id) => engine.undo(id),
  redo: (engine, id) => engine.redo(id),
  fork: (engine, id) => engine.fork(id),
  compact: (engine, id) => engine.compact(id),
  remove: async (engine, id) => {
    const [removal] = await engine.remove([id])
    if (removal?.outcome === 'kept') throw removal.error
  },
  restore: (engine, id) => engine.restore(id),
} satisfies Record<string, (engine: Engine, id: SessionId) => Promise<unknown>>

export type Operation = keyof typeof operations

export const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name)

export async function operate(engine: Engine, id: SessionId, operation: Operation): Promise<void> {
  await operations[operation](engine, id)
}
