/** Writers that are frozen, overtaken and woken up again. */
import { freezeOnce } from '../../crash/frozen-rounds.ts'
import type { Part } from '../part.ts'

export const frozen: Part = {
  name: 'frozen',
  share: 1,
  cannot: process.platform === 'win32' ? 'Windows cannot freeze a process' : false,
  async run({ folder, random, hasTime, count }) {
    while (hasTime()) {
      const mode = random() < 0.3 ? 'before-write' : 'anywhere'
      count('acknowledged events', await freezeOnce(folder, mode, random))
      count('frozen writers overtaken')
    }
  },
}
