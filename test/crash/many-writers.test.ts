/** One writer at a time, however many want to write. `npm run torture -- writers` has 64 of them. */
import { test } from 'node:test'
import { openHome } from '../support/engine.ts'
import { sendFromMany } from './many-writers.ts'

test('16 processes send two turns each to one session: none is lost and none is torn apart', async () => {
  await using home = await openHome()
  await sendFromMany(home.path, 16, 2)
})
