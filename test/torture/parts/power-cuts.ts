/** The power goes at random moments. A writer that acknowledges too early must be caught, or the cut is not real. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { SessionId } from '../../../src/format/ids.ts'
import { endOperations, endTurns, killed, type Ending } from '../../crash/kill-rounds.ts'
import type { WriterProcess } from '../../crash/start-writer.ts'
import { withEngine } from '../../crash/survivors.ts'
import { cannotCutPower, openCuttableDisk, type CuttableDisk } from '../ext4.ts'
import type { Part, Trial } from '../part.ts'
import { converse } from '../../support/engine.ts'

const CUTS_EACH = 10
const MOST_TRIES = 10

export const powerCuts: Part = {
  name: 'power-cuts',
  share: 4,
  cannot: cannotCutPower,
  async run(trial) {
    await withDisk(trial, 'control', (disk) => requireLossWithoutSync(trial, disk))
    for (let round = 0; trial.hasTime(); round += 1) {
      await withDisk(trial, String(round), (disk) => cutSome(trial, disk))
    }
  },
}

async function cutSome({ random, hasTime, count }: Trial, disk: CuttableDisk): Promise<void> {
  const home = join(disk.path, 'home')
  const id = crypto.randomUUID() as SessionId
  const acknowledged: string[] = []
  for (let cut = 0; cut < CUTS_EACH && hasTime(); cut += 1) {
    disk.settle() // this process outlives the cuts, so what it gave back must stay given back
    const told = await endTurns(
      home,
      id,
      acknowledged,
      random,
      random() < 0.5 ? cutWhileFrozen(disk) : cutWhileRunning(disk),
    )
    acknowledged.push(...told)
    count('power cuts in turns')
    count('acknowledged events', told.length)
  }
  const other = await withEngine(home, async (engine) => {
    const { id: created } = await engine.create()
    await converse(engine, created, { prompt: 'the first turn' })
    return created
  })
  for (let cut = 0; cut < CUTS_EACH && hasTime(); cut += 1) {
    disk.settle()
    await endOperations(home, other, random, cutWhileFrozen(disk))
    count('power cuts in operations')
  }
}

async function requireLossWithoutSync({ random, count }: Trial, disk: CuttableDisk): Promise<void> {
  for (let tried = 0; tried < MOST_TRIES; tried += 1) {
    const home = join(disk.path, `home-${tried}`)
    const id = crypto.randomUUID() as SessionId
    try {
      await endTurns(home, id, [], random, cutWhileFrozen(disk), { ACKNOWLEDGE_BEFORE_SYNC: 'yes' })
    } catch {
      count('negative controls that were caught')
      return
    }
  }
  assert.fail(
    'a writer that does not sync lost nothing: the power cuts are not real, and prove nothing',
  )
}

/** Between two system calls: everything that was told is told before the cut, to the last line. */
const cutWhileFrozen =
  (disk: CuttableDisk): Ending =>
  async (writer) => {
    await freeze(writer)
    disk.cut()
    await killed(writer)
    disk.comeBack()
    return writer.lines
  }

/**
 * In the middle of whatever the process does. Only what was told before counts: a sync that is under way when
 * the power of ext4 is cut this way may return success without having happened, to any program.
 */
const cutWhileRunning =
  (disk: CuttableDisk): Ending =>
  async (writer) => {
    const promises = [...writer.lines]
    disk.cut()
    await killed(writer)
    disk.comeBack()
    return promises
  }

/** A system call that is under way ends first, and then no thread runs any more. */
async function freeze({ pid, signal }: WriterProcess): Promise<void> {
  signal('SIGSTOP')
  const isStopped = (task: string): boolean =>
    / T /.test(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8').replace(/.*\)/s, ''))
  while (!readdirSync(`/proc/${pid}/task`).every(isStopped)) await nextRound()
}

async function withDisk(
  { folder }: Trial,
  name: string,
  action: (disk: CuttableDisk) => Promise<void>,
): Promise<void> {
  const place = join(folder, name)
  await mkdir(place)
  await using disk = await openCuttableDisk(place)
  await action(disk)
}
