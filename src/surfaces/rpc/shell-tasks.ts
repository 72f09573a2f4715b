/** Commands that the agent runs now, as tasks in the words of the SDK; made from what clients are told. */
import type { WireEvent } from './wire.ts'

type ShellTask = {
  readonly id: string
  readonly command: string
  readonly description: string
  readonly startedAt: string
  /** Not yet begun: a person is asked first. */
  isAsked: boolean
  output: string
}

export interface ShellTasks {
  list(): readonly object[]
  /** Undefined when it does not run. */
  progress(id: string): object | undefined
  saw(event: WireEvent): void
}

const MOST_CHARS = 4096

export function createShellTasks(changed: () => void): ShellTasks {
  const running = new Map<string, ShellTask>()

  function begin({ data, timestamp }: WireEvent): void {
    const { toolName, toolCallId, arguments: given } = data as Started
    if (toolName !== 'bash') return
    const { command = '', description = '' } = (given ?? {}) as Partial<ShellTask>
    const task = { id: toolCallId, command: String(command), description: String(description) }
    running.set(toolCallId, { ...task, startedAt: timestamp, isAsked: false, output: '' })
    changed()
  }

  return {
    list: () => [...running.values()].filter(({ isAsked }) => !isAsked).map(shown),
    progress(id) {
      const task = running.get(id)
      return task && { type: 'shell', recentOutput: task.output || '(no output yet)' }
    },
    saw(event) {
      if (event.type === 'tool.execution_start') return begin(event)
      const task = running.get(callOf(event) ?? '')
      if (task === undefined) {
        if (event.type === 'session.idle' && running.size > 0) running.clear()
        return
      }
      if (event.type === 'tool.execution_partial_result') {
        const { partialOutput = '' } = event.data as { partialOutput?: string }
        task.output = `${task.output}${partialOutput}`.slice(-MOST_CHARS)
        return
      }
      if (event.type === 'tool.execution_complete') running.delete(task.id)
      else if (event.type === 'permission.requested') task.isAsked = true
      else if (event.type === 'permission.completed') task.isAsked = false
      else return
      changed()
    },
  }
}

type Started = {
  readonly toolName?: string
  readonly toolCallId: string
  readonly arguments?: unknown
}

function callOf({ data }: WireEvent): string | undefined {
  const { toolCallId, permissionRequest } = data as {
    readonly toolCallId?: string
    readonly permissionRequest?: { readonly toolCallId?: string }
  }
  return toolCallId ?? permissionRequest?.toolCallId
}

/** A call that is waited for cannot be left to the background here. */
const shown = ({ id, command, description, startedAt }: ShellTask): object => ({
  type: 'shell',
  id,
  description,
  status: 'running',
  command,
  attachmentMode: 'attached',
  executionMode: 'sync',
  canPromoteToBackground: false,
  startedAt,
})
