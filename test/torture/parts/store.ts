/** Many processes on one session store for a minute. */
import { writeFromMany } from '../../crash/store-writers.ts'
import type { Part } from '../part.ts'

export const store: Part = {
  name: 'store',
  share: 3,
  cannot: false,
  async run({ folder, hasTime, count }) {
    for (let round = 0; round === 0 || hasTime(); round += 1) {
      const written = await writeFromMany(`${folder}/${round}`, { processes: 32, forMs: 60_000 })
      count('turns of 32 processes, indexed as rebuilt', written.turns)
      count('sessions left to the next start', written.late)
    }
  },
}
