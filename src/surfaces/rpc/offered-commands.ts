/** Slash commands: those that clients offer are run by them, one at a time when they are queued. */
import type { Notice } from '../../format/notice.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Client } from './client.ts'
import type { Members, OfferedCommand } from './subscribers.ts'

type QueuedCommand = { readonly requestId: string; readonly command: string }

export interface OfferedCommands {
  list(): readonly OfferedCommand[]
  /** Undefined when it went well; otherwise why it did not. */
  run(name: string, args: string, signal?: AbortSignal): Promise<string | undefined>
  /** False when it was answered, or given up, before. */
  answer(requestId: string, error: string | undefined): boolean
  /** Waits for the session to be idle, and is then shown to the clients, whose first answer counts. */
  enqueue(command: string): void
  respond(requestId: string, response: { handled: boolean; stop: boolean }): boolean
  queued(): readonly QueuedCommand[]
  clear(): number
  /** Withdraws the last that waits; one that is shown is not waiting any more. False when none does. */
  removeLast(): boolean
  /** Nothing runs: the next one's turn. */
  next(): void
  settleUnattended(): void
}

type Waiting = { readonly name: string; readonly resolve: (error: string | undefined) => void }

export function createOfferedCommands(
  members: Members,
  tell: (notice: Notice) => void,
  tellOne: (client: Client, notice: Notice) => void,
): OfferedCommands {
  const waiting = new Map<string, Waiting>()
  let queue: QueuedCommand[] = []
  let shown: QueuedCommand | undefined
  const owner = (name: string) =>
    members.all().find(({ commands }) => commands.some((command) => command.name === name))

  const commands: OfferedCommands = {
    list() {
      const found = new Map<string, OfferedCommand>()
      for (const { commands: offered } of members.all())
        for (const command of offered)
          if (!found.has(command.name)) found.set(command.name, command)
      return [...found.values()]
    },
    async run(name, args, signal) {
      const offering = owner(name)
      if (offering === undefined) return `Nobody who is connected offers the command ${name}.`
      if (signal?.aborted === true) return 'cancelled'
      const requestId = crypto.randomUUID()
      const { promise, resolve } = deferred<string | undefined>()
      waiting.set(requestId, { name, resolve })
      signal?.addEventListener('abort', () => commands.answer(requestId, 'cancelled'), {
        once: true,
      })
      const command = `/${name}${args === '' ? '' : ` ${args}`}`
      // Any other would answer that it does not know it.
      const data = { requestId, command, commandName: name, args }
      tellOne(offering.client, { type: 'command.execute', data })
      return promise
    },
    answer(requestId, error) {
      const found = waiting.get(requestId)
      if (found === undefined) return false
      waiting.delete(requestId)
      tell({ type: 'command.completed', data: { requestId } })
      found.resolve(error)
      return true
    },
    enqueue: (command) => void queue.push({ requestId: crypto.randomUUID(), command }),
    respond(requestId, { handled, stop }) {
      if (shown?.requestId !== requestId) return false
      const { command } = shown
      shown = undefined
      tell({ type: 'command.completed', data: { requestId } })
      if (!handled) void runText(command)
      if (stop) queue = []
      else commands.next()
      return true
    },
    queued: () => [...queue],
    clear() {
      const count = queue.length
      queue = []
      return count
    },
    removeLast: () => queue.pop() !== undefined,
    next() {
      if (shown !== undefined || members.size === 0) return
      shown = queue.shift()
      if (shown !== undefined) tell({ type: 'command.queued', data: shown })
    },
    settleUnattended() {
      for (const [requestId, { name }] of waiting)
        if (owner(name) === undefined)
          commands.answer(requestId, `The program that offers ${name} has gone.`)
      if (members.size === 0) shown = undefined
    },
  }

  function runText(command: string): Promise<string | undefined> {
    const [, name = '', args = ''] = /^\/?(\S+)\s*([\s\S]*)$/.exec(command) ?? []
    return commands.run(name, args)
  }
  return commands
}
