/** Ends a process at a random moment and looks at what it left. One round each; tests and torture repeat them. */
import assert from 'node:assert/strict'
import { setTimeout as later } from 'node:timers/promises'
import type { SessionId } from '../../src/format/ids.ts'
import type { Operation } from './operations.ts'
import { startWriter, type WriterProcess } from './start-writer.ts'
import {
  acknowledgedBy,
  bytesOf,
  exists,
  hashOf,
  requireChain,
  requireSurvival,
  withEngine,
} from './survivors.ts'

export type Random = () => number

/**
 * How the process ends. Afterwards it is gone, and its home is there to be looked at. Gives the lines that
 * count: those that were printed before the end began.
 */
export type Ending = (writer: WriterProcess) => Promise<readonly string[]>

export const killed: Ending = async (writer) => {
  writer.kill()
  await writer.ended()
  return writer.lines
}

/** Gives what was acknowledged in this life. `earlier` is what was acknowledged in former ones. */
export async function endTurns(
  home: string,
  id: SessionId,
  earlier: readonly string[],
  random: Random,
  end: Ending = killed,
  env: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  await using writer = startWriter(home, 'turns', id, [], env)
  await writer.line('ready')
  await later(random() * 250)
  const promises = await end(writer)
  assert.deepEqual(
    promises.filter((line) => line.startsWith('failed')),
    [],
  )
  const acknowledged = acknowledgedBy(promises)
  await requireSurvival(home, id, [...earlier, ...acknowledged])
  return acknowledged
}

/** In an order in which each finds something to do. */
const LOOP: readonly Operation[] = ['send', 'undo', 'redo', 'fork', 'compact', 'remove', 'restore']

type Log = { readonly size: number; readonly hash: string }

/** Gives the operation that was cut short, or undefined when the kill fell between two. */
export async function endOperations(
  home: string,
  id: SessionId,
  random: Random,
  end: Ending = killed,
): Promise<Operation | undefined> {
  const { start, sessions } = await withEngine(home, async (engine) => ({
    start: logOf(await bytesOf(engine, id)),
    sessions: (await engine.list()).length,
  }))
  await using writer = startWriter(home, 'loop', id, LOOP)
  await writer.line('ready')
  await later(random() * 400)
  const promises = await end(writer)
  assert.deepEqual(
    promises.filter((line) => line.startsWith('failed')),
    [],
  )
  const cut = await requireBeforeOrAfter(home, id, start, promises)
  await requireSurvival(home, id, [])
  const forks = promises.filter((line) => line.startsWith('done fork')).length
  assert.ok(
    (await requireWholeSessions(home)) >= sessions + forks,
    'an acknowledged fork is not there',
  )
  return cut
}

async function requireBeforeOrAfter(
  home: string,
  id: SessionId,
  start: Log,
  lines: readonly string[],
): Promise<Operation | undefined> {
  const logs = [start]
  for (const line of lines) {
    const [word, operation, size, hash = ''] = line.split(' ')
    if (word === 'done' && operation !== 'remove') logs.push({ size: Number(size), hash })
  }
  const [last = start, previous = start] = logs.toReversed()
  const [word, operation] = lines.at(-1)?.split(' ') ?? []
  const cut = word === 'begin' ? (operation as Operation) : undefined
  await withEngine(home, async (engine) => {
    if (!(await exists(engine, id))) {
      assert.ok(
        operation === 'remove' || operation === 'restore',
        `the session is gone after ${lines.at(-1)}`,
      )
      await engine.restore(id)
    }
    const bytes = await bytesOf(engine, id)
    if (holds(bytes, last)) return
    if (cut === 'undo') {
      await (await engine.open(id)).redo()
      assert.ok(holds(await bytesOf(engine, id), last), 'a rewind lost what it removed')
    } else {
      assert.equal(cut, 'redo', 'acknowledged bytes are gone')
      assert.ok(holds(bytes, previous), 'a redo stopped half-way')
    }
  })
  return cut
}

/** The log begins with it: an operation that was cut short may have appended, and changed nothing else. */
const holds = (bytes: Buffer, { size, hash }: Log): boolean =>
  bytes.length >= size && hashOf(bytes.subarray(0, size)) === hash

const logOf = (bytes: Buffer): Log => ({ size: bytes.length, hash: hashOf(bytes) })

/** A fork is there as a whole or not at all. Gives how many sessions there are. */
export async function requireWholeSessions(home: string): Promise<number> {
  return withEngine(home, async (engine) => {
    const sessions = await engine.list()
    for (const { id } of sessions) {
      await requireChain(engine, id)
      const { ailments } = await engine.doctor(id)
      assert.deepEqual(
        ailments.filter(({ severity }) => severity === 'damage'),
        [],
      )
    }
    return sessions.length
  })
}
