/** The list of 10,000 sessions, with a catalogue of what was read before and without one. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Sample, Trial } from '../measure.ts'
import { catalogueOf } from '../sessions.ts'
import { timedAsync } from '../timed.ts'

export async function list({ home }: { home: string }): Promise<Sample> {
  const engine = engineAt(home)
  const { ms, result } = await timedAsync(() => engine.list())
  return { ms, sessions: result.length }
}

export const listCase: Case = {
  name: 'list',
  async figures({ homes: { s10k }, measure }) {
    const folder = join(s10k, 'session-state')
    const listing: Trial = { module: 'cases/list', probe: 'list', args: { home: s10k } }
    const { cold, readAll } = await measure(5, {
      cold: { ...listing, before: () => rmSync(catalogueOf(s10k), { force: true }) },
      readAll: { module: 'limits', probe: 'readAll', args: { folder } },
    })
    const { warm, statAll } = await measure(11, {
      warm: listing,
      statAll: { module: 'limits', probe: 'statAll', args: { folder } },
    })
    return [
      {
        name: 'list 10,000 sessions, warm',
        unit: 'ms',
        target: { atMost: 100 },
        measured: warm('ms'),
        limit: { name: 'readdir + 10,000 stats', measured: statAll('ms') },
      },
      {
        name: 'list 10,000 sessions, no catalogue',
        unit: 'ms',
        target: { atMost: 1500 },
        measured: cold('ms'),
        limit: { name: 'readdir + read 20,000 files', measured: readAll('ms') },
      },
    ]
  },
}
