/** One writer at a time, however many want to write. */
import { test } from 'node:test'
import { openHome } from '../support/engine.ts'
import { sendFromMany } from './many-writers.ts'

test('64 processes send two turns each to one session: none is lost and none is torn apart', async () => {
  await using home = await openHome()
  await sendFromMany(home.path, 64, 2)
})
