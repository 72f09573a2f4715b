/** Workers of Mission Control are killed ten times in the middle of a task: each of its steps is done once. */
import { workerRounds } from '../../remote/worker-rounds.ts'
import type { Part } from '../part.ts'

const KILLS = 10
const STEPS = 16

export const workers: Part = {
  name: 'workers',
  share: 1,
  cannot: false,
  async run({ random, hasTime, count }) {
    while (hasTime()) {
      await workerRounds({ kills: KILLS, steps: STEPS, random })
      count('workers killed', KILLS)
      count('tasks done once')
    }
  },
}
