/** Whole commands and servers of the built program are killed; nothing is half. `npm run torture` tries every system call. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SessionId } from '../../src/format/ids.ts'
import {
  killOperationAt,
  listOperationPoints,
  openOperationStage,
  programOperations,
} from './program-operations.ts'
import { killServerOnce } from './server-rounds.ts'
import { cannotTrace } from './strace.ts'

test(
  'a command that is killed at a system call leaves before or after, and comes to its end when said again',
  { skip: cannotTrace },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-commands-'))
    try {
      const stage = openOperationStage(folder)
      for (const operation of programOperations) {
        const points = await listOperationPoints(stage, operation)
        const point = points[Math.floor(Math.random() * points.length)]
        assert.ok(point)
        await t.test(`${operation.name}, ${point.name} ${point.nth}`, () =>
          killOperationAt(stage, operation, point),
        )
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

for (const kind of ['server', 'web'] as const) {
  test(`what clients of a killed ${kind} were shown is in the logs, and the next one goes on`, async () => {
    const home = await mkdtemp(join(tmpdir(), 'reprise-servers-'))
    try {
      let shown: ReadonlyMap<SessionId, string[]> = new Map()
      for (let life = 0; life < 2; life += 1)
        shown = await killServerOnce(kind, home, shown, Math.random)
      assert.ok([...shown.values()].every((ids) => ids.length > 0))
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
}
