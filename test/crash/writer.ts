/**
 * A process of its own that works on a session, for tests that kill it. Every line that it prints is a promise:
 * what is named there was acknowledged, and must be found again whatever happens to the process afterwards.
 *
 *     ready                        loaded; nothing done yet
 *     event <id>                   shown to a follower
 *     begin <operation>            from here on, before or after
 *     done <operation> <log>       acknowledged; `log` is the log's length and hash then
 *     notice <type>                an error that was told, not stored
 *     failed <code> <message>
 */
import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { createEngine } from '../../src/engine/engine.ts'
import { EngineError } from '../../src/engine/errors.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { converse, scripted } from '../support/engine.ts'
import { isOperation, operate } from './operations.ts'
import { withoutSync } from './without-sync.ts'

/** `once` waits for a line on stdin before it begins, so that somebody can attach to the process. */
export type WriterTask = 'turns' | 'loop' | 'send' | 'once'

const [home = '', task = '', session = '', ...rest] = process.argv.slice(2)
const id = session as SessionId

const tell = (...words: readonly (string | number)[]): void =>
  void writeSync(1, `${words.join(' ')}\n`)

const disk = openDisk(home)
const engine = createEngine({
  cwd: process.cwd(),
  fs: process.env.ACKNOWLEDGE_BEFORE_SYNC === 'yes' ? withoutSync(disk) : disk,
  agent: scripted(),
  clientName: 'crash-test',
})

await engine.trash() // loads what the engine loads with its first use
flushCompileCache() // would be done at the end of the process, and this one will be killed
try {
  await perform(task as WriterTask)
} catch (error) {
  tell('failed', error instanceof EngineError ? error.code : 'unknown', String(error))
}
process.exit()

async function perform(task: WriterTask): Promise<void> {
  if (task === 'turns') {
    tell('ready')
    tellEvents(await opened())
    for (let turn = 0; ; turn += 1)
      await converse(engine, id, { prompt: `turn ${turn} of ${process.pid}` })
  }
  if (task === 'loop') {
    const operations = rest.filter(isOperation)
    await opened()
    tell('ready')
    for (;;) for (const operation of operations) await attempt(operation)
  }
  if (task === 'send') {
    const [turns = '1', name = 'nobody'] = rest
    await (await engine.open(id)).resume()
    for (let turn = 0; turn < Number(turns); turn += 1) {
      await converse(engine, id, { prompt: `${name} ${turn}` }, { waitMs: 100_000 })
      tell('done', `${name} ${turn}`)
    }
    await engine.stop()
  }
  if (task === 'once') {
    const [operation = ''] = rest
    tell('ready')
    await firstLine()
    if (operation === 'create' || operation === 'send') tellEvents(await opened())
    if (operation === 'create' || isOperation(operation))
      await attempt(operation === 'create' ? 'send' : operation)
  }
}

async function opened(): Promise<{ isNew: boolean }> {
  const log = await engine.fs.stat(`session-state/${id}/events.jsonl`)
  const isNew = log === undefined || log.size === 0
  await (isNew ? engine.create({ sessionId: id }) : (await engine.open(id)).resume())
  return { isNew }
}

function tellEvents({ isNew }: { isNew: boolean }): void {
  void (async () => {
    for await (const item of (await engine.open(id)).follow({ fromNow: !isNew })) {
      if (item.kind === 'event') tell('event', item.event.id)
      if (item.kind === 'notice' && item.notice.type === 'session.error')
        tell('notice', item.notice.data.errorType)
    }
  })()
}

async function attempt(operation: Parameters<typeof operate>[2]): Promise<void> {
  tell('begin', operation)
  await operate(engine, id, operation)
  const chunks: Uint8Array[] = []
  if (operation !== 'remove')
    for await (const chunk of (await engine.open(id)).raw()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  tell('done', operation, bytes.length, createHash('sha256').update(bytes).digest('hex'))
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
