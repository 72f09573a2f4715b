/**
 * One connection to PostgreSQL. The driver opens one that broke again by itself, with what was left of the time before:
 * a statement that came in between is then never answered, or runs outside of its transaction. So a line is a client of
 * its own with one connection, and one that broke is never used again. Who waits for an answer is told at once.
 */
import postgres from 'postgres'
import type { Sql } from 'postgres'
import { deferred } from '../../lib/deferred.ts'

/** What a client of the driver is made with besides what all of them have. */
export type Connect = (more: {
  readonly max: number
  readonly idle_timeout?: number
  readonly onclose?: () => void
}) => Sql

type LineOptions = {
  readonly connect: Connect
  /** So long one statement may take; a machine that is gone without a word never answers. Without it: for ever. */
  readonly answerMs: number | undefined
}

export interface Line {
  readonly isBroken: () => boolean
  ask(text: string, parameters: readonly unknown[]): Promise<postgres.RowList<postgres.Row[]>>
  end(): Promise<void>
}

/** Until one of the hosts that are named has said that it writes. */
const CONNECT_MS = 10_000
/** One that nobody wants is closed. */
const IDLE_SECONDS = 300
/** It only reads from now on: another one writes. */
const READ_ONLY = '25006'

function openLine({ connect, answerMs }: LineOptions): Line {
  const broken = deferred<never>()
  // Who asks hears of it; nobody may be asking.
  broken.promise.catch(() => undefined)
  let isBroken = false
  let opened: Promise<unknown> | undefined
  const fail = (cause?: unknown): void => {
    if (isBroken) return
    isBroken = true
    broken.reject(lost(cause))
    // It is thrown away, however it ends.
    void sql.end({ timeout: 0 }).catch(() => undefined)
  }
  const sql = connect({ max: 1, idle_timeout: IDLE_SECONDS, onclose: () => fail() })

  async function within<T>(answer: Promise<T>, ms: number | undefined): Promise<T> {
    const late = () => fail(new Error('It did not answer in time.'))
    const timer = ms === undefined ? undefined : setTimeout(late, ms)
    try {
      return await Promise.race([answer, broken.promise])
    } catch (cause) {
      if (!isOfStatement(cause)) fail(cause)
      throw cause
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    isBroken: () => isBroken,
    async ask(text, parameters) {
      if (isBroken) throw lost()
      opened ??= within(sql.unsafe('select 1'), CONNECT_MS)
      await opened
      const asked = sql.unsafe(text, parameters as never[], { prepare: true })
      return within(asked, answerMs)
    },
    end: () => sql.end({ timeout: 2 }),
  }
}

const lost = (cause?: unknown) =>
  new Error('The connection to the database was lost. The transaction changed nothing.', { cause })

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
