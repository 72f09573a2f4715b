/** The network between a machine and Mission Control is cut, and both are killed: each copy equals its log, byte for byte. */
import { cutRounds } from '../../remote/cut-rounds.ts'
import type { Part } from '../part.ts'

const CUTS = 200

export const cuts: Part = {
  name: 'cuts',
  share: 1,
  cannot: false,
  async run({ random, hasTime, count }) {
    while (hasTime()) {
      const survived = await cutRounds({ cuts: CUTS, random, hasTime })
      count('connections cut', survived.cuts)
      count('machines killed', survived.machineKills)
      count('servers killed', survived.serverKills)
      count('copies equal byte for byte', survived.sessions)
      count('events compared', survived.events)
      count('contents compared', survived.blobs)
    }
  },
}
