/** Leaves a session with a snapshot, as closing it after a turn would. */
import type { SessionId } from '../src/format/ids.ts'
import { keepSnapshot, load } from '../src/engine/live/folded-log.ts'
import { openDisk } from '../src/fs/disk.ts'
import type { Sample } from './measure.ts'

export async function makeSnapshot({ home, id }: { home: string; id: SessionId }): Promise<Sample> {
  const fs = openDisk(home)
  const dir = `session-state/${id}`
  await keepSnapshot(fs, dir, await load(fs, dir), { always: true })
  return {}
}
