/** Every system call of every operation is the last one of its process, or fails. */
import { killAt, listPoints, openStage } from '../../crash/crash-points.ts'
import { errorsAt, failAt } from '../../crash/disk-errors.ts'
import { scenarios } from '../../crash/scenarios.ts'
import { cannotTrace } from '../../crash/strace.ts'
import { spread, type Part } from '../part.ts'

export const syscalls: Part = {
  name: 'syscalls',
  share: 5,
  cannot: cannotTrace,
  async run({ folder, hasTime, count }) {
    const stages = await Promise.all(
      scenarios.map(async (scenario) => {
        const stage = await openStage(scenario, folder)
        return { stage, points: await listPoints(stage) }
      }),
    )
    const trials = stages.flatMap(({ stage, points }) => {
      const { operation } = stage.scenario
      const deaths = points.map((point) => ({
        figure: 'kills at a system call',
        run: () => killAt(stage, point),
      }))
      const isTurn = operation === 'send' || operation === 'create'
      const errors = isTurn ? errorsAt(points) : []
      const failures = errors.map((error) => ({
        figure: 'failing system calls',
        run: () => failAt(stage, error),
      }))
      return [...deaths, ...failures]
    })
    count('system calls to try', trials.length)
    for (const { figure, run } of spread(trials)) {
      if (!hasTime()) return
      await run()
      count(figure)
    }
  },
}
