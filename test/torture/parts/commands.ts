/** Commands of the built program, each killed at every system call by which it changes something. */
import {
  killOperationAt,
  listOperationPoints,
  openOperationStage,
  programOperations,
  type OperationStage,
} from '../../crash/program-operations.ts'
import { cannotTrace } from '../../crash/strace.ts'
import { spread, type Part } from '../part.ts'

/** Of all of them: it takes longer than several kills, and lies in the folder of the first until the end. */
let prepared: OperationStage | undefined

export const commands: readonly Part[] = programOperations.map((operation) => ({
  name: operation.name,
  share: 1,
  cannot: cannotTrace,
  async run({ folder, hasTime, count }) {
    prepared ??= openOperationStage(folder)
    const stage = prepared
    const points = await listOperationPoints(stage, operation)
    count(`${operation.name}: system calls to try`, points.length)
    for (const point of spread(points)) {
      if (!hasTime()) return
      await killOperationAt(stage, operation, point)
      count(`${operation.name}: kills`)
    }
  },
}))
