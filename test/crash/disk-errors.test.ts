/** A disk that fails now and then: nothing is acknowledged that is not on it, and in the end everything is there once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { listPoints, openStage, play, type Stage } from './crash-points.ts'
import { errorsAt, failAt, isOfLog } from './disk-errors.ts'
import { scenarios } from './scenarios.ts'
import { cannotTrace } from './strace.ts'
import { requireFoldersSynced, requireSyncedBeforeTold } from './told-order.ts'

async function onStage(
  operation: 'create' | 'send',
  action: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-errors-'))
  try {
    await action(
      await openStage(
        scenarios.find((scenario) => scenario.operation === operation)!,
        folder,
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('an event is written, then synced, then told', { skip: cannotTrace }, () =>
  onStage('send', (stage) => play(stage, [], async ({ calls }) => requireSyncedBeforeTold(calls))),
)

test(
  'the folders of a new log are synced before its first event is told',
  { skip: cannotTrace },
  () =>
    onStage('create', (stage) =>
      play(stage, [], async ({ home, calls }) => {
        const session = join(home, 'session-state', stage.id)
        requireFoldersSynced(calls, [session, dirname(session), home, dirname(home)])
      }),
    ),
)

test('every failing write and sync of the log is told and tried again', { skip: cannotTrace }, () =>
  onStage('create', async (stage) => {
    const errors = errorsAt(await listPoints(stage)).filter(({ point }) => isOfLog(point))
    for (const error of errors) await failAt(stage, error)
  }),
)
