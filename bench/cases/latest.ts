/** The id of the session that was written last, among 10,000. */
import { join } from 'node:path'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

export async function latest({ home }: { home: string }): Promise<Sample> {
  const engine = engineAt(home)
  const { ms } = await timedAsync(() => engine.latest())
  return { ms }
}

export const latestCase: Case = {
  name: 'latest',
  async figures({ homes: { s10k }, measure }) {
    const { latest, statAll } = await measure(11, {
      latest: { module: 'cases/latest', probe: 'latest', args: { home: s10k } },
      statAll: {
        module: 'limits',
        probe: 'statAll',
        args: { folder: join(s10k, 'session-state') },
      },
    })
    return [
      {
        name: 'latest id of 10,000',
        unit: 'ms',
        target: { atMost: 30 },
        measured: latest('ms'),
        limit: { name: 'readdir + 10,000 stats', measured: statAll('ms') },
      },
    ]
  },
}
