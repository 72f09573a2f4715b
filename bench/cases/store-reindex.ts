/** The session store made from the logs: many small sessions, one large one, and nothing to do. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openDisk } from '../../src/fs/disk.ts'
import { redactWith } from '../../src/wiring/open-store.ts'
import { createStore } from '../../src/store/store.ts'
import type { Case } from '../case.ts'
import type { Sample, Trial } from '../measure.ts'
import { timedAsync } from '../timed.ts'

/** As the product does it: with redaction and a second thread. The database goes beside the home. */
export async function reindex({ home, cache }: { home: string; cache: string }): Promise<Sample> {
  const fs = openDisk(home)
  const store = createStore(fs, {
    cacheFolder: cache,
    isShared: () => true,
    redact: await redactWith(fs),
    startReader: () =>
      new Worker(new URL('./store-reader.js', import.meta.url), { workerData: { home } }),
  })
  const before = process.cpuUsage()
  const { ms, result } = await timedAsync(() => store.reindex())
  const { user, system } = process.cpuUsage(before)
  await store.close()
  return { ms, cpuMs: (user + system) / 1000, indexed: result.indexed }
}

export const storeReindexCase: Case = {
  name: 'store-reindex',
  async figures({ homes: { s10k, big }, scratch, measure }) {
    const cache = join(scratch, 'stores')
    const before = () => {
      rmSync(cache, { recursive: true, force: true })
      mkdirSync(cache, { recursive: true, mode: 0o700 })
    }
    const trial = (home: string): Trial => ({
      module: 'cases/store-reindex',
      probe: 'reindex',
      args: { home, cache },
    })
    const { many, readAll } = await measure(5, {
      many: { ...trial(s10k), before },
      readAll: {
        module: 'limits',
        probe: 'readAll',
        args: { folder: join(s10k, 'session-state') },
      },
    })
    const { one, parse } = await measure(5, {
      one: { ...trial(big.home), before },
      parse: { module: 'limits', probe: 'parseLines', args: { file: big.log } },
    })
    before()
    await measure(1, { fill: trial(s10k) })
    const { nothing, statAll } = await measure(7, {
      nothing: trial(s10k),
      statAll: {
        module: 'limits',
        probe: 'statAll',
        args: { folder: join(s10k, 'session-state') },
      },
    })
    return [
      {
        name: 'reindex 10,000 sessions, 20,000 turns',
        unit: 'ms',
        target: { atMost: 3000 },
        measured: many('ms'),
        limit: { name: 'readdir + read 20,000 files', measured: readAll('ms') },
      },
      { name: 'its processor time', unit: 'ms', target: 'none', measured: many('cpuMs') },
      { name: 'its memory', unit: 'MB', target: 'none', measured: many('rssMb') },
      {
        name: 'reindex one session of 100,000 events',
        unit: 'ms',
        target: { atMost: 3000 },
        measured: one('ms'),
        limit: { name: 'parse every line', measured: parse('ms') },
      },
      { name: 'its processor time', unit: 'ms', target: 'none', measured: one('cpuMs') },
      { name: 'its memory', unit: 'MB', target: 'none', measured: one('rssMb') },
      {
        name: 'reindex 10,000 sessions, nothing to do',
        unit: 'ms',
        target: { atMost: 300 },
        measured: nothing('ms'),
        limit: { name: 'readdir + 10,000 stats', measured: statAll('ms') },
      },
    ]
  },
}
