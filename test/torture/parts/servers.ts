/** The JSON-RPC server and the server of the page, killed in turns that several clients watch. */
import { join } from 'node:path'
import type { SessionId } from '../../../src/format/ids.ts'
import { killServerOnce } from '../../crash/server-rounds.ts'
import type { Part } from '../part.ts'

const LIVES = 10

export const servers: readonly Part[] = (['server', 'web'] as const).map((name) => ({
  name,
  share: 1,
  cannot: false,
  async run({ folder, random, hasTime, count }) {
    for (let home = 0; hasTime(); home += 1) {
      let shown: ReadonlyMap<SessionId, string[]> = new Map()
      for (let life = 0; life < LIVES && hasTime(); life += 1) {
        const before = sizeOf(shown)
        shown = await killServerOnce(name, join(folder, String(home)), shown, random)
        count(`${name}: kills`)
        count(`${name}: events shown`, sizeOf(shown) - before)
      }
    }
  },
}))

const sizeOf = (shown: ReadonlyMap<SessionId, string[]>): number =>
  [...shown.values()].reduce((sum, ids) => sum + ids.length, 0)
