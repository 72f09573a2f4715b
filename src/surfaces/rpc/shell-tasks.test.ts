import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShellTasks } from './shell-tasks.ts'

const event = (type: string, data: object) => ({
  type,
  data,
  id: 'e',
  timestamp: '2026-03-02T09:30:00.000Z',
  parentId: null,
})

test('a command of the agent is a task from its permission to its end, with what it said last', () => {
  let changes = 0
  const tasks = createShellTasks(() => (changes += 1))
  const of = { toolCallId: 'c1' }
  const given = { command: 'npm test', description: 'runs tests' }
  tasks.saw(event('tool.execution_start', { toolCallId: 'c0', toolName: 'view' }))
  assert.deepEqual([tasks.list(), changes], [[], 0])
  tasks.saw(event('tool.execution_start', { ...of, toolName: 'bash', arguments: given }))
  tasks.saw(event('permission.requested', { requestId: 'r', permissionRequest: of }))
  assert.deepEqual(tasks.list(), [])
  tasks.saw(event('permission.completed', { requestId: 'r', ...of }))
  assert.deepEqual(tasks.list(), [
    {
      type: 'shell',
      id: 'c1',
      ...given,
      status: 'running',
      attachmentMode: 'attached',
      executionMode: 'sync',
      canPromoteToBackground: false,
      startedAt: '2026-03-02T09:30:00.000Z',
    },
  ])
  for (const partialOutput of ['one\n', 'two\n'])
    tasks.saw(event('tool.execution_partial_result', { ...of, partialOutput }))
  assert.deepEqual(tasks.progress('c1'), { type: 'shell', recentOutput: 'one\ntwo\n' })
  tasks.saw(event('tool.execution_complete', { ...of, success: true }))
  assert.deepEqual([tasks.list(), tasks.progress('c1'), changes], [[], undefined, 4])
})
