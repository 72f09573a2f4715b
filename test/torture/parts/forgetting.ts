/** Mixed histories, each of which ends in something forgotten: no file of the home may hold a word of it. */
import { openPlace, tryHistory } from '../../forget/histories.ts'
import type { Part } from '../part.ts'

const MOST = 1000
/** A home that fills as homes do, and is begun anew before it takes all the time to look through. */
const IN_ONE_HOME = 50

export const forgetting: Part = {
  name: 'forgetting',
  share: 2,
  cannot: false,
  async run({ random, hasTime, count }) {
    for (let done = 0; done < MOST && hasTime();) {
      await using place = openPlace()
      for (let more = 0; more < IN_ONE_HOME && done < MOST && hasTime(); more += 1, done += 1)
        count(`histories that end in "${await tryHistory(place, random)}"`)
    }
  },
}
