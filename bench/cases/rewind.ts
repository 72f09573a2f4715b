/**
 * Rewinding the session of 100,000 events, and bringing it back. Each run has its own copy, with a snapshot,
 * already durable. "From cold" begins with a process that has not opened the session.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '../../src/format/ids.ts'
import type { Case, Lab } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Figure } from '../figure.ts'
import type { Sample } from '../measure.ts'
import { freshCopy } from '../sessions.ts'
import { timedAsync } from '../timed.ts'

/** Removes the last turns, then restores them. */
export async function rewind({
  home,
  id,
  turns,
}: {
  home: string
  id: SessionId
  turns: number
}): Promise<Sample> {
  const engine = engineAt(home)
  const session = await engine.open(id)
  const opened = await timedAsync(() => session.resume())
  const [target] = opened.result.state.turns.slice(-turns)
  if (target === undefined) throw new Error('The session has no such turn.')
  const done = await timedAsync(() => session.rewind(target.eventId))
  const redone = await timedAsync(() => session.redo())
  await engine.stop()
  return {
    ms: done.ms,
    fromCold: opened.ms + done.ms,
    redo: redone.ms,
    bytes: done.result.bytesRemoved,
  }
}

export const rewindCase: Case = {
  name: 'rewind',
  async figures(lab) {
    const { big } = lab.homes
    const prepared = { module: 'cases/resume', probe: 'snapshot', args: big }
    await lab.measure(1, { prepared })
    return [
      ...(await rewinding(lab, { name: 'truncate the last ten turns', turns: 10, atMost: 20 })),
      ...(await rewinding(lab, { name: 'rewind to half', turns: 5555, atMost: 150 })),
    ]
  },
}

async function rewinding(
  { homes: { big }, scratch, measure }: Lab,
  given: { name: string; turns: number; atMost: number },
): Promise<Figure[]> {
  const home = join(scratch, 'rewind')
  const { log } = freshCopy(big, home)
  const before = () => void freshCopy(big, home)
  const { turns } = given
  const args = { home, id: big.id, turns }
  const bytes = Math.round((turns / big.turns) * statSync(log).size)
  const { ours, bare } = await measure(7, {
    ours: { module: 'cases/rewind', probe: 'rewind', args, before },
    bare: {
      module: 'limits',
      probe: 'cutEnd',
      args: { file: log, to: join(scratch, 'cut.jsonl'), bytes },
      before,
    },
  })
  const limit = { name: 'copy those bytes aside, cut, fsync both', measured: bare('ms') }
  return [
    { name: given.name, unit: 'ms', target: { atMost: given.atMost }, measured: ours('ms'), limit },
    {
      name: `${given.name}, from cold`,
      unit: 'ms',
      target: 'none',
      measured: ours('fromCold'),
      limit,
    },
    { name: `${given.name}, redone`, unit: 'ms', target: 'none', measured: ours('redo'), limit },
  ]
}
