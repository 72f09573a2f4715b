/** SIGKILL at random moments, in turns and in everything that changes a session. */
import type { SessionId } from '../../../src/format/ids.ts'
import { endOperations, endTurns } from '../../crash/kill-rounds.ts'
import { withEngine } from '../../crash/survivors.ts'
import type { Part } from '../part.ts'
import { converse } from '../../support/engine.ts'

const LIVES = 12

export const kills: Part = {
  name: 'kills',
  share: 3,
  cannot: false,
  async run({ folder, random, hasTime, count }) {
    for (let home = 0; hasTime(); home += 1) {
      const path = `${folder}/${home}`
      const id = crypto.randomUUID() as SessionId
      const acknowledged: string[] = []
      for (let life = 0; life < LIVES && hasTime(); life += 1) {
        const told = await endTurns(path, id, acknowledged, random)
        acknowledged.push(...told)
        count('kills in turns')
        count('acknowledged events', told.length)
      }
      const other = await withEngine(path, async (engine) => {
        const { id: created } = await engine.create()
        await converse(engine, created, { prompt: 'the first turn' })
        return created
      })
      for (let life = 0; life < LIVES && hasTime(); life += 1) {
        const cut = await endOperations(path, other, random)
        count(cut === undefined ? 'kills between operations' : `kills in ${cut}`)
      }
    }
  },
}
