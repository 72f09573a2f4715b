/**
 * Appends that are acknowledged only when they are durable: one after another through the engine's one door,
 * and many at once through the log, where they share a sync.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDisk } from '../../src/fs/disk.ts'
import { openLog } from '../../src/log/open.ts'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import { summaryOf, type Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

/** A change of mode is one event and nothing else, so it is the smallest thing that goes through the door. */
export async function single({ home, count }: { home: string; count: number }): Promise<Sample> {
  const engine = engineAt(home)
  const session = await engine.create()
  await session.save()
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const mode = done % 2 === 0 ? 'plan' : 'interactive'
    times.push((await timedAsync(() => session.setMode(mode))).ms)
  }
  await engine.stop()
  const { median, p95 } = summaryOf(times)
  return { p50: median, p95 }
}

const AT_ONCE = 64

export async function concurrent({
  home,
  count,
}: {
  home: string
  count: number
}): Promise<Sample> {
  const log = await openLog(openDisk(home), 'session-state/many', {
    durability: 'synced',
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    onTrouble: ({ error }) => {
      throw error
    },
    onRecovered: () => {},
  })
  const append = async () => {
    for (let done = 0; done < count / AT_ONCE; done++) {
      await log.append([{ type: 'session.info', data: { infoType: 'bench', message: MESSAGE } }])
    }
  }
  const { ms } = await timedAsync(() => Promise.all(Array.from({ length: AT_ONCE }, append)))
  await log.close()
  return { perSecond: (count / ms) * 1000 }
}

const MESSAGE = 'x'.repeat(200)

export const appendCase: Case = {
  name: 'append',
  async figures({ scratch, measure }) {
    const home = join(scratch, 'append')
    const before = () => {
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home, { mode: 0o700 })
    }
    const args = { home, count: 1000 }
    const { ours, many, bare } = await measure(7, {
      ours: { module: 'cases/append', probe: 'single', args, before },
      bare: {
        module: 'limits',
        probe: 'writeAndSync',
        args: { folder: home, count: 1000, bytes: 260 },
        before,
      },
      many: { module: 'cases/append', probe: 'concurrent', args: { home, count: 64_000 }, before },
    })
    const limit = { name: 'write + fdatasync', measured: bare('p50') }
    return [
      {
        name: 'acknowledged append, p50',
        unit: 'ms',
        target: { times: 2 },
        measured: ours('p50'),
        limit,
      },
      { name: 'acknowledged append, p95', unit: 'ms', target: 'none', measured: ours('p95') },
      {
        name: 'appends, 64 at once',
        unit: 'events/s',
        target: 'none',
        measured: many('perSecond'),
        limit: { name: 'write + fdatasync, one by one', measured: bare('perSecond') },
      },
    ]
  },
}
