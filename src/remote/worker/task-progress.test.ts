import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextMessage, standingOf, type FilesOf, type Logged } from './task-progress.ts'

const TASK = 'one'
const WISH = { prompt: 'write two' }

async function* logOf(...types: readonly string[]): AsyncGenerator<Logged> {
  for (const type of types) {
    const data = type === 'user.message' ? { source: `task-${TASK}` } : {}
    yield { id: type, type, data }
  }
}

const DONE = ['user.message', 'tool.execution_complete', 'assistant.message', 'assistant.turn_end']

const told = async (types: readonly string[], filesOf?: FilesOf) => {
  const standing = await standingOf(logOf(...types), { task: TASK, ...(filesOf && { filesOf }) })
  return nextMessage({ task: TASK, wish: WISH, attempts: 2 }, standing)?.prompt
}

test('a task with its last word and all its files is over', async () => {
  assert.equal(await told(DONE), undefined)
  assert.equal(await told(DONE, { upTo: 'tool.execution_complete' }), undefined)
  assert.equal(await told(DONE, { upTo: 'assistant.turn_end' }), undefined)
})

test('a last word whose files another worker took along is told to be looked after', async () => {
  assert.match((await told(DONE, { upTo: 'user.message' })) ?? '', /after its last word.*missing/s)
  assert.match((await told(DONE, { upTo: undefined })) ?? '', /do again what is missing/)
})

test('in the middle it goes on, and hears of files that may be missing only when some may be', async () => {
  const middle = ['user.message', 'tool.execution_complete']
  assert.match((await told(middle, { upTo: 'user.message' })) ?? '', /in the middle.*missing/s)
  assert.doesNotMatch((await told(middle, { upTo: 'tool.execution_complete' })) ?? '', /missing/)
  assert.equal(await told([]), WISH.prompt)
})
