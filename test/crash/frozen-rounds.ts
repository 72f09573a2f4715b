/** Freezes a writer, overtakes it, wakes it up, and looks for what it wrote late. */
import assert from 'node:assert/strict'
import { setTimeout as later } from 'node:timers/promises'
import { openDisk } from '../../src/fs/disk.ts'
import { acquireLease } from '../../src/log/lease.ts'
import type { LeaseLimits } from '../../src/log/lease-limits.ts'
import { openLog } from '../../src/log/open.ts'
import { readLog } from '../../src/log/read.ts'
import type { Random } from './kill-rounds.ts'
import { startProcess } from './start-writer.ts'
import { acknowledgedBy } from './survivors.ts'

export const SHORT_LIMITS: Partial<LeaseLimits> = {
  heartbeatMs: 20,
  checkMs: 20,
  frozenMs: 150,
  answerMs: 50,
}

/** Gives how many events the frozen one had acknowledged. */
export async function freezeOnce(
  home: string,
  mode: 'anywhere' | 'before-write',
  random: Random,
): Promise<number> {
  const session = `session-state/${crypto.randomUUID()}`
  const fs = openDisk(home)
  await using writer = startProcess('frozen-writer.ts', [home, session, mode])
  await writer.line('ready')
  if (mode === 'before-write') {
    await writer.line('freezing')
  } else {
    await later(random() * 30)
    writer.signal('SIGSTOP')
  }
  const mine: string[] = []
  {
    await using lease = await acquireLease(fs, session, {
      label: 'overtakes',
      waitMs: 20_000,
      limits: SHORT_LIMITS,
      onRequest: () => {},
    })
    assert.equal(lease.takenOver, 'live')
    const log = await openLog(fs, session, {
      fence: lease,
      replaceInode: true,
      durability: 'synced',
      clock: () => new Date(),
      newId: () => crypto.randomUUID(),
      onTrouble: ({ error }) => assert.fail(error),
      onRecovered: () => {},
    })
    const append = async (message: string) => {
      for (const { event } of await log.append([
        { type: 'session.info', data: { infoType: 'test', message } },
      ]))
        mine.push(event.id)
    }
    await append('overtook')
    writer.signal('SIGCONT')
    await writer.ended()
    await append('went on')
    await log.close()
  }
  assert.match(writer.lines.at(-1) ?? '', /^refused (LeaseLost|LogMoved)$/)
  const theirs = acknowledgedBy(writer.lines)
  await requireNothingLate(home, session, { theirs, mine })
  return theirs.length
}

/** What the frozen one had acknowledged, at most one more that it could not acknowledge any more, then ours. */
async function requireNothingLate(
  home: string,
  session: string,
  { theirs, mine }: { theirs: readonly string[]; mine: readonly string[] },
): Promise<void> {
  const ids: string[] = []
  const parents: (string | null | undefined)[] = []
  for await (const { records, findings } of readLog(openDisk(home), `${session}/events.jsonl`)) {
    assert.deepEqual(
      findings.filter(({ kind }) => kind !== 'no_start'),
      [],
    )
    ids.push(...records.map(({ event }) => event.id))
    parents.push(...records.map(({ event }) => event.parentId))
  }
  assert.deepEqual(ids.slice(0, theirs.length), theirs)
  assert.deepEqual(ids.slice(-mine.length), mine)
  assert.ok(ids.length - theirs.length - mine.length <= 1, 'late bytes are in the log')
  assert.deepEqual(parents, [null, ...ids.slice(0, -1)])
}
