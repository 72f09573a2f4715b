/** Changes planted in everything that a session keeps: doctor names each, and a sound session nothing. */
import assert from 'node:assert/strict'
import { openHome } from '../../support/engine.ts'
import { damagedKinds, plant, sessionWithAll } from '../../support/planted-damage.ts'
import type { Part } from '../part.ts'

export const plantedDamage: Part = {
  name: 'damage',
  share: 2,
  cannot: false,
  async run(trial) {
    await using home = await openHome()
    const { engine, id } = await sessionWithAll(home)
    const missed: string[] = []
    let planted = 0
    for (let number = 0; trial.hasTime(); number++) {
      const kind = damagedKinds[number % damagedKinds.length] ?? ''
      const damage = plant(home, id, kind, trial.random)
      if (damage === undefined) continue
      planted++
      trial.count('changes planted')
      if ((await engine.doctor(id)).ailments.length > 0) trial.count('changes named')
      else missed.push(`${kind}: ${damage.what}`)
      damage.undo()
      if (number % 100 === 0) assert.deepEqual((await engine.doctor(id)).ailments, [])
    }
    assert.ok(missed.length <= planted * 0.02, missed.join(', '))
  },
}
