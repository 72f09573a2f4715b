/**
 * One connection to PostgreSQL. The driver opens one that broke again by itself, with what was left of the time before:
 * a statement that came in between is then never answered, or runs outside of its transaction. So a line is a client of
 * its own with one connection, and one that broke is never used again. Who waits for an answer is told at once.
 */
import postgres, { type Sql } from 'postgres'
import { deferred } from '../../lib/deferred.ts'
import { noAnswer, type Hosts } from './hosts.ts'

type LineOptions = {
  readonly hosts: Hosts
  /** So long one statement may take; a machine that is gone without a word never answers. Without it: for ever. */
  readonly answerMs: number | undefined
}

export interface Line {
  readonly isBroken: () => boolean
  ask(text: string, parameters: readonly unknown[]): Promise<postgres.RowList<postgres.Row[]>>
  end(): Promise<void>
}

/** It only reads from now on: another one writes. */
const READ_ONLY = '25006'

function openLine({ hosts, answerMs }: LineOptions): Line {
  const broken = deferred<never>()
  // Who asks hears of it; nobody may be asking.
  broken.promise.catch(() => undefined)
  let isBroken = false
  let opening: Promise<void> | undefined
  let client: Sql | undefined
  // It is thrown away, however it ends.
  const discard = () => void client?.end({ timeout: 0 }).catch(() => undefined)
  const fail = (cause?: unknown): void => {
    if (isBroken) return
    isBroken = true
    broken.reject(lost(cause))
    discard()
  }

  async function open(): Promise<void> {
    client = await hosts.reach(fail)
    if (isBroken) discard()
  }

  async function within<T>(answer: Promise<T>): Promise<T> {
    const late = () => fail(noAnswer('It did not answer in time.'))
    const timer = answerMs === undefined ? undefined : setTimeout(late, answerMs)
    try {
      return await Promise.race([answer, broken.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    isBroken: () => isBroken,
    async ask(text, parameters) {
      if (isBroken) throw lost()
      opening ??= open()
      try {
        await Promise.race([opening, broken.promise])
        if (client === undefined) throw lost()
        return await within(client.unsafe(text, parameters as never[], { prepare: true }))
      } catch (cause) {
        if (!isOfStatement(cause)) fail(cause)
        throw cause
      }
    },
    async end() {
      if (client === undefined) fail()
      else await client.end({ timeout: 2 })
    },
  }
}

const lost = (cause?: unknown) =>
  noAnswer('The connection to the database was lost. The transaction changed nothing.', cause)

/** What the database refuses of a statement leaves the connection whole. */
const isOfStatement = (cause: unknown): boolean =>
  cause instanceof postgres.PostgresError &&
  cause.severity !== 'FATAL' &&
  cause.severity !== 'PANIC' &&
  cause.code !== READ_ONLY

export type Lines = {
  /** Waits for its turn when all are taken. */
  take(): Promise<Line>
  give(line: Line): void
  end(): Promise<void>
}

/** At most so many at once, each for one who uses it alone. */
export function openLines(options: LineOptions, most: number): Lines {
  const idle: Line[] = []
  const taken = new Set<Line>()
  const waiting: ((line: Line) => void)[] = []
  const next = (): Line => {
    let line = idle.pop()
    while (line?.isBroken() === true) line = idle.pop()
    line ??= openLine(options)
    taken.add(line)
    return line
  }
  return {
    take: async () =>
      taken.size < most
        ? next()
        : new Promise<Line>((resolve) => {
            waiting.push(resolve)
          }),
    give(line) {
      taken.delete(line)
      if (!line.isBroken()) idle.push(line)
      waiting.shift()?.(next())
    },
    end: async () => void (await Promise.allSettled([...idle, ...taken].map((each) => each.end()))),
  }
}
