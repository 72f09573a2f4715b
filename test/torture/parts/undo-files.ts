/** Undo and redo with files, killed at every system call with a few files of all kinds, and at 200 with 300 files. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotTrace } from '../../crash/strace.ts'
import {
  FIVE,
  FOLDERS,
  MANY,
  killUndoAt,
  listUndoPoints,
  makeAnew,
  openUndoStage,
  type Operation,
  type UndoStage,
} from '../../crash/undo-files.ts'
import { spread, type Part } from '../part.ts'

const AT_MOST = 200

const cases: readonly [Operation, typeof FIVE, UndoStage['meanwhile']][] = [
  ['undo', FIVE, undefined],
  ['redo', FIVE, undefined],
  ['undo', FOLDERS, undefined],
  ['redo', FOLDERS, undefined],
  ['undo', FIVE, makeAnew],
  ['undo', MANY, undefined],
  ['redo', MANY, undefined],
]

export const undoFiles: Part = {
  name: 'undo-files',
  share: 4,
  cannot: cannotTrace,
  async run({ folder, random, hasTime, count }) {
    const trials: (() => Promise<void>)[] = []
    for (const [index, [operation, files, meanwhile]] of cases.entries()) {
      const place = join(folder, String(index))
      await mkdir(place)
      const stage = await openUndoStage(place, operation, files, meanwhile)
      const points = [...spread(await listUndoPoints(stage))]
      const tried = files === MANY ? points.slice(0, AT_MOST) : points
      for (const [turn, point] of tried.entries()) {
        trials.push(() =>
          killUndoAt(stage, point, turn % 2 === 0 ? 'next' : 'doctor').catch((error: unknown) => {
            throw new Error(`${operation} ${index}, killed at ${point.name} ${point.nth}`, {
              cause: error,
            })
          }),
        )
      }
    }
    count('undo with files: system calls to try', trials.length)
    // From another place with each seed: runs that are too short for all try others.
    const first = Math.floor(random() * trials.length)
    for (const trial of spread([...trials.slice(first), ...trials.slice(0, first)])) {
      if (!hasTime()) return
      await trial()
      count('undo with files: kills')
    }
  },
}
