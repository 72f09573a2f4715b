/** Many processes on one session at once. */
import { sendFromMany } from '../../crash/many-writers.ts'
import type { Part } from '../part.ts'

export const writers: Part = {
  name: 'writers',
  share: 2,
  cannot: false,
  async run({ folder, hasTime, count }) {
    for (let round = 0; round === 0 || hasTime(); round += 1) {
      await sendFromMany(`${folder}/${round}`, 64, 2)
      count('turns of 64 processes', 128)
    }
  },
}
