/**
 * A process that writes a log and is frozen meanwhile, for tests. It prints `event <id>` for what was
 * acknowledged, and `refused <error>` when it may not go on. With `before-write` it freezes itself at the
 * worst moment: after it made sure of its lease, before its bytes are written.
 */
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { acquireLease } from '../../src/log/lease.ts'
import { openLog } from '../../src/log/open.ts'
import { SHORT_LIMITS } from './frozen-rounds.ts'

const [home = '', session = '', mode = ''] = process.argv.slice(2)
const tell = (...words: readonly string[]): void => void writeSync(1, `${words.join(' ')}\n`)

flushCompileCache()
const fs = openDisk(home)
const lease = await acquireLease(fs, session, {
  label: 'frozen',
  waitMs: 0,
  limits: SHORT_LIMITS,
  onRequest: () => {},
})
let writes = 0
/** Far more than it comes to: it must end by itself when nobody refuses it. */
const MOST = 1000
const log = await openLog(mode === 'before-write' ? freezing(fs) : fs, session, {
  fence: lease,
  durability: 'synced',
  clock: () => new Date(),
  newId: () => crypto.randomUUID(),
  onTrouble: ({ error }) => tell('trouble', String(error)),
  onRecovered: () => {},
})
tell('ready')
try {
  for (let number = 0; number < MOST; number += 1) {
    const message = `frozen ${number}`
    const [record] = await log.append([
      { type: 'session.info', data: { infoType: 'test', message } },
    ])
    tell('event', record?.event.id ?? '')
  }
} catch (error) {
  tell('refused', error instanceof Error ? error.name : String(error))
}
process.exit()

function freezing(fs: SessionFs): SessionFs {
  return {
    ...fs,
    openAppend: async (path) => {
      const file = await fs.openAppend(path)
      return {
        ...file,
        write: async (chunks, position) => {
          writes += 1
          if (writes === 3) {
            tell('freezing')
            process.kill(process.pid, 'SIGSTOP')
          }
          await file.write(chunks, position)
        },
      }
    },
  }
}
