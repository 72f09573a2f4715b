/** What the crash tests do with a session, by name. Each must leave before or after, wherever it is cut short. */
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { converse } from '../support/engine.ts'

const operations = {
  send: (engine, id) => converse(engine, id, { prompt: 'one more turn' }),
  undo: async (engine, id) => (await engine.open(id)).undo(),
  redo: async (engine, id) => (await engine.open(id)).redo(),
  fork: async (engine, id) => (await engine.open(id)).fork(),
  compact: async (engine, id) => (await engine.open(id)).compact(),
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
