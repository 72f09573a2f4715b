/** Every operation leaves before or after, whichever of its system calls is its last. `npm run torture` tries all. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { killAt, listPoints, openStage, type Point } from './crash-points.ts'
import { scenarios } from './scenarios.ts'
import { cannotTrace } from './strace.ts'

const SAMPLE = 2

for (const scenario of scenarios) {
  test(
    `${scenario.operation} leaves before or after when it is killed at a system call`,
    { skip: cannotTrace },
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'reprise-syscalls-'))
      try {
        const stage = await openStage(scenario, folder)
        for (const point of sample(await listPoints(stage))) {
          await t.test(`${point.name} ${point.nth}: ${withoutIds(point.path)}`, () =>
            killAt(stage, point),
          )
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
}

/** Spread over the operation, from a random start: each run of the suite tries others. */
function sample(points: readonly Point[]): readonly Point[] {
  const length = Math.min(SAMPLE, points.length)
  const step = points.length / length
  const start = Math.random() * step
  return Array.from({ length }, (_, turn) => points[Math.floor(start + turn * step)]!)
}

const withoutIds = (path: string): string =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>').replaceAll(/tmp-\S+/g, 'tmp')
