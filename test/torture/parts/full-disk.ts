/** Disks of many sizes fill up in the middle of a turn. */
import { fillDuringTurn } from '../../crash/full-disk.ts'
import { cannotMount, mountSmallDisk } from '../../crash/small-disk.ts'
import type { Part } from '../part.ts'

export const fullDisk: Part = {
  name: 'full-disk',
  share: 1,
  cannot: cannotMount,
  async run({ random, hasTime, count }) {
    for (let round = 0; round < 100 && hasTime(); round += 1) {
      await using disk = await mountSmallDisk(1024)
      count('full disks')
      if ((await fillDuringTurn(disk, Math.floor(random() * 60_000))) > 0)
        count('full disks that were told')
    }
  },
}
