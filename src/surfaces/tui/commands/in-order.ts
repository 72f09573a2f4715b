/**
 * What is typed is done in the order of typing, however fast it was typed: `/new` with a message right behind it is a
 * new session with that message, `/undo` takes back nothing that was said after it.
 */
import type { Command } from '../../../commands/command.ts'
import { commandTyped } from '../../../commands/parse.ts'

type InOrder = (text: string, work: () => Promise<void>) => Promise<void>

export function createOrder(table: readonly Command[]): InOrder {
  let settled: Promise<unknown> = Promise.resolve()
  return (text, work) => {
    const command = commandTyped(table, text)
    if (command !== undefined && ENDS.has(command.name)) return work()
    const done = settled.then(work)
    // A failure is said by the caller.
    if (command !== undefined && decides(command)) settled = done.catch(() => {})
    return done
  }
}

/** They end what is waited for. */
const ENDS: ReadonlySet<string> = new Set(['cancel', 'exit'])

/** Who is met by what is typed next, and with what. A model that is asked takes long, and what is sent meanwhile is queued. */
const decides = ({ changes, on, asksModel }: Command): boolean =>
  asksModel === undefined &&
  (['view', 'settings', 'conversation'].includes(changes) ||
    (changes === 'sessions' && on === 'session'))
