/**
 * What is typed is done in the order of typing, however fast it was typed: `/new` with a message right behind it is a
 * new session with that message, `/undo` takes back nothing that was said after it, and a message with `/new` or `/exit`
 * right behind it is in the log, or in the queue, before its session is left.
 */
import type { Command } from '../../../commands/command.ts'
import { commandTyped } from '../../../commands/parse.ts'
import { deferred } from '../../../lib/deferred.ts'

/** How far what is sent has come. */
export type Stages = {
  /** The session has it, behind everything that was typed before it. */
  readonly handed: () => void
  /** It would survive the end of this terminal. */
  readonly taken: () => void
}

type Work = (stages: Stages) => Promise<void>

export function createOrder(table: readonly Command[]) {
  let settled: Promise<unknown> = Promise.resolve()
  let handed: Promise<unknown> = Promise.resolve()
  let taken: Promise<unknown> = Promise.resolve()
  /** Nobody is kept from leaving by what does not come. */
  const takenSoon = () =>
    Promise.race([taken, new Promise((resolve) => setTimeout(resolve, SOON_MS).unref())])
  return {
    run(text: string, work: Work): Promise<void> {
      const command = commandTyped(table, text)
      const [isHanded, isTaken] = [deferred<void>(), deferred<void>()]
      const isEnd = command !== undefined && ENDS.has(command.name)
      const before =
        command === undefined
          ? Promise.all([settled, handed])
          : isEnd
            ? takenSoon()
            : Promise.all([settled, taken])
      const stages = { handed: isHanded.resolve, taken: isTaken.resolve }
      const done = before.then(() => work(stages))
      // A failure is said by the caller.
      const over = done.catch(() => {})
      if (command === undefined) {
        handed = Promise.race([isHanded.promise, over])
        taken = Promise.all([taken, Promise.race([isTaken.promise, over])])
      } else if (decides(command) && !isEnd) settled = over
      return done
    },
    /** Everything that was typed so far would survive the end of this terminal; bounded. */
    taken: takenSoon,
  }
}

const SOON_MS = 3_000

/** They end what is waited for. */
const ENDS: ReadonlySet<string> = new Set(['cancel', 'exit'])

/** Who is met by what is typed next, and with what. A model that is asked takes long, and what is sent meanwhile is queued. */
const decides = ({ changes, on, asksModel }: Command): boolean =>
  asksModel === undefined &&
  (['view', 'settings', 'conversation'].includes(changes) ||
    (changes === 'sessions' && on === 'session'))
