/** A fork of the whole session of 100,000 events, beside a plain copy of its log. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '../../src/format/ids.ts'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Sample } from '../measure.ts'
import { freshCopy } from '../sessions.ts'
import { timedAsync } from '../timed.ts'

export async function fork({ home, id }: { home: string; id: SessionId }): Promise<Sample> {
  const engine = engineAt(home)
  const session = await engine.open(id)
  await session.resume()
  const { ms } = await timedAsync(() => session.fork())
  await engine.stop()
  return { ms }
}

export const forkCase: Case = {
  name: 'fork',
  async figures({ homes: { big }, scratch, measure }) {
    const home = join(scratch, 'fork')
    const to = join(scratch, 'copy.jsonl')
    const args = { home, id: big.id }
    await measure(1, { prepared: { module: 'cases/resume', probe: 'snapshot', args: big } })
    const { ours, copy } = await measure(7, {
      ours: {
        module: 'cases/fork',
        probe: 'fork',
        args,
        before: () => void freshCopy(big, home),
      },
      copy: {
        module: 'limits',
        probe: 'copyWhole',
        args: { file: big.log, to },
        before: () => rmSync(to, { force: true }),
      },
    })
    return [
      {
        name: 'fork 100 MB',
        unit: 'ms',
        target: { times: 3 },
        measured: ours('ms'),
        limit: { name: 'copyFile + fsync', measured: copy('ms') },
      },
    ]
  },
}
