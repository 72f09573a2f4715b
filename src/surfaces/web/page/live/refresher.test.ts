/** Answers on their way: the newest is shown, whichever comes last, and one that never came is asked for again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRefresher } from './refresher.ts'

test('an answer that was overtaken on its way replaces nothing', async () => {
  const waiting: ((status: string) => void)[] = []
  const shown: string[] = []
  const refresher = createRefresher({
    ask: () => new Promise<string>((resolve) => void waiting.push(resolve)),
    onAnswer: (status) => void shown.push(status),
    isPassing: () => false,
    soonMs: 0,
    againMs: 0,
  })
  const both = [refresher.now(), refresher.now()]
  waiting[1]?.('idle')
  await both[1]
  waiting[0]?.('running')
  await both[0]
  assert.deepEqual(shown, ['idle'])
  const last = refresher.now()
  refresher.stop()
  waiting[2]?.('running')
  await last
  assert.deepEqual(shown, ['idle'])
})

test('what was not answered is asked again until it is', async () => {
  let asked = 0
  const shown = await new Promise((resolve) => {
    const refresher = createRefresher({
      ask: async () => {
        asked += 1
        if (asked < 3) throw new Error('The server cannot be reached.')
        return 'idle'
      },
      onAnswer: resolve,
      isPassing: () => true,
      soonMs: 0,
      againMs: 0,
    })
    refresher.soon()
    refresher.soon()
  })
  assert.deepEqual([shown, asked], ['idle', 3])
})
