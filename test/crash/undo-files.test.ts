/** Log and files go back together, whichever system call is the last. `npm run torture` tries all, and 300 files. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cannotTrace } from './strace.ts'
import {
  FIVE,
  FOLDERS,
  killUndoAt,
  listUndoPoints,
  makeAnew,
  openUndoStage,
  type Operation,
} from './undo-files.ts'

const SAMPLE = 2

const cases: readonly [string, Operation, typeof FIVE, typeof makeAnew | undefined][] = [
  ['undo of five files of all kinds', 'undo', FIVE, undefined],
  ['redo of five files of all kinds', 'redo', FIVE, undefined],
  ['undo of folders', 'undo', FOLDERS, undefined],
  ['undo, and a file that the user makes anew meanwhile', 'undo', FIVE, makeAnew],
]

for (const [name, operation, files, meanwhile] of cases) {
  test(
    `${name} leaves before or after when the program is killed at a system call`,
    { skip: cannotTrace },
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'reprise-undo-files-'))
      try {
        const stage = await openUndoStage(folder, operation, files, meanwhile)
        const points = await listUndoPoints(stage)
        const step = points.length / SAMPLE
        const start = Math.random() * step
        for (let turn = 0; turn < SAMPLE; turn += 1) {
          const point = points[Math.floor(start + turn * step)]!
          const who = turn % 2 === 0 ? 'next' : 'doctor'
          await t.test(`${point.name} ${point.nth}, settled by the ${who}`, () =>
            killUndoAt(stage, point, who),
          )
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
}
