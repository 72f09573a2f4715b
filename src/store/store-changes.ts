/**
 * What a stretch of a log means for the store: plain data between the fold, which knows events, and the
 * tables, which know SQL. Applied in one transaction together with the cursor that it leads to.
 */
import type { Payload } from '../format/event.ts'
import type { SessionId } from '../format/ids.ts'

/** What the log says of the session beyond its turns, as of some place in it. */
export type Carried = {
  readonly firstAt?: string | undefined
  readonly startTime?: string | undefined
  readonly producer?: string | undefined
  readonly model?: string | undefined
  readonly cwd?: string | undefined
  readonly gitRoot?: string | undefined
  readonly repository?: string | undefined
  readonly hostType?: string | undefined
  readonly branch?: string | undefined
}

/** Equal knowledge is equal text: always in this order. A list of keys would do the same in several times the time. */
export const printCarried = (carried: Carried): string =>
  JSON.stringify({
    firstAt: carried.firstAt,
    startTime: carried.startTime,
    producer: carried.producer,
    model: carried.model,
    cwd: carried.cwd,
    gitRoot: carried.gitRoot,
    repository: carried.repository,
    hostType: carried.hostType,
    branch: carried.branch,
  } satisfies { [K in keyof Required<Carried>]: unknown })

export type Turn = {
  readonly index: number
  readonly start: number
  readonly eventId: string
  readonly at: string
  readonly user: string
  readonly assistant: string
}

/** How far a session is indexed, and what is needed to go on from there. */
export type StoreCursor = {
  readonly offset: number
  readonly lastEventId: string | null
  readonly lastEventStart: number
  readonly lastEventAt: string | null
  readonly turnCount: number
  readonly carried: Carried
  /** The turn that is going on. */
  readonly turn: Turn | undefined
  /** What was carried when the last turn began, as printed. */
  readonly turnCarried: string | undefined
}

export const START: StoreCursor = {
  offset: 0,
  lastEventId: null,
  lastEventStart: 0,
  lastEventAt: null,
  turnCount: 0,
  carried: {},
  turn: undefined,
  turnCarried: undefined,
}

/** `turn` is -1 before the first one. */
type At = { readonly turn: number; readonly at: string }

/** The plain tables count what is before the first turn as NULL. */
export const orNull = (turn: number): number | null => (turn < 0 ? null : turn)

export type Op =
  /** A turn as it now is; `carried` only where the turn begins and knows something else than the one before. */
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'turn-start'; readonly turn: Turn; readonly carried: string | null }
  | (At & {
      readonly kind: 'call-start'
      readonly callId: string
      readonly tool: string
      readonly args: string
      readonly paths: readonly string[]
    })
  | (At & {
      readonly kind: 'call-end'
      readonly callId: string
      readonly success: boolean
      readonly output: string
      readonly paths: readonly string[]
    })
  /** The turn ended because the agent could not go on. */
  | (At & { readonly kind: 'failure'; readonly reason: string })
  | (At & { readonly kind: 'stop' })
  | (At & { readonly kind: 'handoff'; readonly eventId: string; readonly content: string })
  | (At & { readonly kind: 'thinking'; readonly eventId: string; readonly content: string })
  | (At & { readonly kind: 'ref'; readonly type: string; readonly value: string })
  | (At & {
      readonly kind: 'usage'
      readonly agentId: string | undefined
      readonly data: Payload<'session.usage_record'>
    })
  | (At & {
      readonly kind: 'checkpoint'
      readonly number: number | undefined
      readonly summary: string
    })

export type Changes = {
  readonly id: SessionId
  /** Where the store was when these changes were made; when it is elsewhere by now, they do not fit. */
  readonly base: StoreCursor | undefined
  /** The first turn that does not hold any more: it and all after it go first. -1 means everything. */
  readonly drop?: number
  readonly ops: readonly Op[]
  readonly to: StoreCursor
}
