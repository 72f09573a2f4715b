/**
 * A process of its own that works on sessions of a home while its store follows them, for tests with many of them.
 * It prints
 *
 *     ready                          loaded; it begins with a line on stdin
 *     kept <session> <turns>         a session as it left it
 *     gone <session>                 deleted
 *     wal <bytes>                    the longest write-ahead log of the store that it saw
 *     failed <message>               a turn or an operation that was not done
 */
import { statSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createEngine } from '../../src/engine/engine.ts'
import { withStore } from '../../src/wiring/follow-store.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { openBoard } from '../../src/store/board.ts'
import { DATABASE } from '../../src/store/database-file.ts'
import { createStore } from '../../src/store/store.ts'
import { converse, endTool, say, scripted, startTool, type Script } from '../support/engine.ts'

/** On a machine that is busy the time is over with the first turn: something must be left when one is taken back. */
const FEWEST_TURNS = 2

const [home = '', forMs = '1000', number = '0'] = process.argv.slice(2)
const tell = (...words: readonly (string | number)[]): void =>
  void writeSync(1, `${words.join(' ')}\n`)

const working: Script = async function* ({ message: { content } }) {
  const call = crypto.randomUUID()
  yield say(`Looking at ${content}`)
  yield startTool(call, 'edit', { path: `src/${content.length}.ts` })
  yield endTool(call, `${content}\n${'what a tool has to say '.repeat(100)}`)
  yield say(`Done with ${content}`)
}

const fs = openDisk(home)
const engine = withStore(
  createEngine({ cwd: process.cwd(), fs, agent: scripted(working), clientName: 'store-test' }),
  {
    store: async () => createStore(fs, { cacheFolder: home }),
    board: async () => openBoard(fs, { cacheFolder: home }),
  },
)
await engine.trash() // loads what the engine loads with its first use
flushCompileCache()
tell('ready')
await firstLine()
let wal = 0
try {
  const until = performance.now() + Number(forMs)
  for (let session = 0; session === 0 || performance.now() < until; session += 1) {
    await workOn(Number(number) + session, until)
  }
  await engine.stop()
} catch (error) {
  tell('failed', String(error))
}
look()
tell('wal', wal)
process.exit()

/** Some turns; now and then one is taken back, or the session gets a name or is deleted. */
async function workOn(kind: number, until: number): Promise<void> {
  const { id } = await engine.create({ cwd: home })
  let turns = 0
  for (let turn = 0; turn < FEWEST_TURNS || (turn < 6 && performance.now() < until); turn += 1) {
    const { status } = await converse(engine, id, { prompt: `turn ${turn} of ${process.pid}` })
    if (status !== 'completed') tell('failed', status)
    turns += 1
    look()
  }
  if (kind % 3 === 1) {
    await (await engine.open(id)).undo()
    turns -= 1
  }
  if (kind % 4 === 2) await (await engine.open(id)).rename(`number ${kind}`)
  if (kind % 5 === 3) {
    await engine.remove([id])
    tell('gone', id)
  } else {
    await (await engine.open(id)).close()
    tell('kept', id, turns)
  }
}

function look(): void {
  const { size = 0 } = statSync(join(home, `${DATABASE}-wal`), { throwIfNoEntry: false }) ?? {}
  wal = Math.max(wal, size)
}

function firstLine(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const lines = createInterface({ input: process.stdin })
  lines.once('line', () => {
    lines.close()
    resolve()
  })
  return promise
}
