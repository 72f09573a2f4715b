/** §8: a text is taken out of a session, and whatever stops it in between is finished by the next writer. */
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEngine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { logPath, sessionDir } from '../../src/format/paths.ts'
import { openDisk } from '../../src/fs/disk.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { lookThrough } from '../forget/look-through.ts'
import {
  callTool,
  converse,
  endTool,
  say,
  scripted,
  startTool,
  type Script,
} from '../support/engine.ts'

const WORD = 'zanzibarqxw7f3k9'

const script: Script = async function* ({ message }) {
  const toolCallId = crypto.randomUUID()
  yield callTool(toolCallId)
  yield startTool(toolCallId, 'bash', { command: `echo ${WORD}` })
  yield endTool(toolCallId, `${WORD} "quoted"\n`.repeat(4000))
  yield say(`${message.content}: ${WORD}.`)
}

const engineAt = (fs: SessionFs) => createEngine({ fs, cwd: tmpdir(), agent: scripted(script) })

async function madeHome() {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-forget-'))
  const home = join(folder, 'home')
  mkdirSync(home)
  const engine = engineAt(openDisk(home))
  const session = await engine.create()
  const { id } = session
  await converse(engine, id, { prompt: `one ${WORD}` })
  await converse(engine, id, { prompt: `two ${WORD}` })
  await session.undo()
  await engine.stop()
  return { folder, home, id, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

const linesOf = (home: string, id: SessionId) =>
  readFileSync(join(home, logPath(sessionDir(id))), 'utf8').split('\n')

test('format §8.21 every line keeps its length, and every id, parent, type and time', async () => {
  using made = await madeHome()
  const { home, id } = made
  const before = linesOf(home, id)
  const engine = engineAt(openDisk(home))
  const { places, kept } = await engine.forget({ text: WORD }, { dryRun: false })
  assert.ok(places > 4000)
  assert.deepEqual(kept, [])
  await engine.stop()
  const after = linesOf(home, id)
  const frame = (line: string) => {
    if (line === '') return line
    const { id: own, parentId, type, timestamp } = JSON.parse(line) as Record<string, unknown>
    return [Buffer.byteLength(line), own, parentId, type, timestamp]
  }
  assert.deepEqual(after.map(frame), before.map(frame))
  assert.deepEqual(lookThrough([home], WORD), [])
})

/** Every change after the first so many fails, as if the process had been killed there. */
function failingAfter(fs: SessionFs, most: number): SessionFs {
  let count = 0
  const step =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      count += 1
      if (count > most) throw new Error('killed')
      return work(...args)
    }
  return {
    ...fs,
    writeAtomic: step(fs.writeAtomic),
    rename: step(fs.rename),
    remove: step(fs.remove),
    copy: step(fs.copy),
    openAppend: step(fs.openAppend),
  }
}

test(
  'format §8.22 stopped anywhere, the next writer finishes it, and keeps what was appended since',
  { timeout: 240_000 },
  async () => {
    using made = await madeHome()
    const { folder, home: original, id } = made
    let isWhole = false
    for (let most = 0; !isWhole; most += 1) {
      const home = join(folder, `try-${most}`)
      cpSync(original, home, { recursive: true })
      const broken = engineAt(failingAfter(openDisk(home), most))
      isWhole = await broken.forget({ text: WORD }, { dryRun: false }).then(
        () => true,
        () => false,
      )
      // Its process is gone, and with it the lease that it could not give back.
      rmSync(join(home, sessionDir(id), '.reprise/lease'), { recursive: true, force: true })
      const info = { infoType: 'test', message: 'written by another program' }
      const [last = ''] = linesOf(home, id).filter(Boolean).slice(-1)
      const parentId = (JSON.parse(last) as { id: string }).id
      const event = {
        type: 'session.info',
        data: info,
        id: crypto.randomUUID(),
        timestamp: new Date().toISOString(),
        parentId,
      }
      appendFileSync(join(home, logPath(sessionDir(id))), `${JSON.stringify(event)}\n`)
      const next = engineAt(openDisk(home))
      const diagnosis = await next.doctor(id)
      assert.deepEqual(
        diagnosis.ailments.filter(({ severity }) => severity === 'damage'),
        [],
        `after ${most}`,
      )
      await next.forget({ text: WORD }, { dryRun: false })
      assert.deepEqual(lookThrough([home], WORD), [], `after ${most} changes`)
      const { events } = await (await next.open(id)).events()
      assert.ok(
        events.some((each) => each.id === event.id),
        `after ${most} changes what was appended is lost`,
      )
      await next.stop()
      rmSync(home, { recursive: true })
    }
  },
)
