/** A log of 1 GiB opens in bounded memory, with nothing known of it. Only with --huge. */
import type { Case } from '../case.ts'
import { forgetSnapshot } from '../sessions.ts'

export const hugeCase: Case = {
  name: 'huge',
  async figures({ homes: { huge }, measure }) {
    if (huge === undefined) return []
    const { home, id, log } = huge
    const { ours, parse } = await measure(3, {
      ours: {
        module: 'cases/resume',
        probe: 'resume',
        args: { home, id },
        before: () => forgetSnapshot(huge),
      },
      parse: { module: 'limits', probe: 'parseLines', args: { file: log } },
    })
    return [
      {
        name: 'memory to resume 1 GiB without a snapshot',
        unit: 'MB',
        target: { atMost: 200 },
        measured: ours('rssMb'),
        limit: { name: 'the process that only parses', measured: parse('rssMb') },
      },
      {
        name: 'time of it',
        unit: 'ms',
        target: 'none',
        measured: ours('ms'),
        limit: { name: 'JSON.parse of every line', measured: parse('ms') },
      },
    ]
  },
}
