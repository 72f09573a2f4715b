/** Opening the session of 100,000 events: from its snapshot, and from nothing but the log. */
import type { SessionId } from '../../src/format/ids.ts'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Sample, Trial } from '../measure.ts'
import { forgetSnapshot, snapshotOf } from '../sessions.ts'
import { makeSnapshot } from '../snapshot.ts'
import { timedAsync } from '../timed.ts'

export async function resume({ home, id }: { home: string; id: SessionId }): Promise<Sample> {
  const engine = engineAt(home)
  const { ms, result } = await timedAsync(async () => (await engine.open(id)).resume())
  return { ms, events: result.state.eventCount }
}

export const snapshot = makeSnapshot

export const resumeCase: Case = {
  name: 'resume',
  async figures({ homes: { big }, measure }) {
    const { home, id, log } = big
    const resuming: Trial = { module: 'cases/resume', probe: 'resume', args: { home, id } }
    const { without, parse } = await measure(7, {
      without: { ...resuming, before: () => forgetSnapshot(big) },
      parse: { module: 'limits', probe: 'parseLines', args: { file: log } },
    })
    await measure(1, { prepared: { ...resuming, probe: 'snapshot' } })
    const { having, readSnapshot } = await measure(11, {
      having: resuming,
      readSnapshot: { module: 'limits', probe: 'readJson', args: { file: snapshotOf(big) } },
    })
    return [
      {
        name: 'resume 100 MB with a snapshot',
        unit: 'ms',
        target: { atMost: 80 },
        measured: having('ms'),
        limit: { name: 'read and parse the snapshot', measured: readSnapshot('ms') },
      },
      {
        name: 'memory of it, with a snapshot',
        unit: 'MB',
        target: { atMost: 150 },
        measured: having('rssMb'),
        limit: { name: 'the process that only parses it', measured: readSnapshot('rssMb') },
      },
      {
        name: 'resume 100 MB without a snapshot',
        unit: 'ms',
        target: { times: 1.5 },
        measured: without('ms'),
        limit: { name: 'JSON.parse of every line', measured: parse('ms') },
      },
      {
        name: 'memory of it, without a snapshot',
        unit: 'MB',
        target: 'none',
        measured: without('rssMb'),
        limit: { name: 'the process that only parses', measured: parse('rssMb') },
      },
    ]
  },
}
