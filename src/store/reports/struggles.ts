/** Where the agent struggled: corrected by the person, failing, trying again, refused. Each with its place. */
import { troubleOf, whatOf, type CallRow } from '../call-outcome.ts'
import { directivesIn, isCorrection } from '../directives.ts'
import type { Rewinds } from '../rewinds.ts'
import { workedInstead } from '../fixed-commands.ts'
import type { HabitsEvidence } from './habits-evidence.ts'
import { code, oneLine, words } from './words.ts'

export const struggleKinds = ['corrected', 'rewound', 'failing', 'retried', 'refused'] as const
export type StruggleKind = (typeof struggleKinds)[number]

/** Turns count from 0. Absent when it is about the session as a whole. */
export type TurnRef = { readonly sessionId: string; readonly turn?: number }

export type Struggle = {
  readonly kind: StruggleKind
  /** In Markdown. */
  readonly what: string
  readonly places: readonly TurnRef[]
}

/** A line for the instruction file. */
export type Lesson = { readonly line: string; readonly places: readonly TurnRef[] }

export function strugglesOf(
  { prompts, calls }: HabitsEvidence,
  rewinds: readonly Rewinds[],
): Struggle[] {
  const corrected = prompts
    .filter(({ turn, text }) => turn > 0 && isCorrection(text))
    .map(({ sessionId, turn, text }): Struggle => ({
      kind: 'corrected',
      what: words(text, 160),
      places: [{ sessionId, turn }],
    }))
  const failing = grouped(calls, ['failed', 'exit'], 2).map(([what, rows]): Struggle => ({
    kind: 'failing',
    what: `${code(what)} failed ${rows.length} times: ${words(reasonOf(rows))}`,
    places: placesOf(rows),
  }))
  const refused = grouped(calls, ['denied'], 1).map(([what, rows]): Struggle => ({
    kind: 'refused',
    what: `${code(what)} was refused${rows.length === 1 ? '' : ` ${rows.length} times`}`,
    places: placesOf(rows),
  }))
  const rewound = rewinds.map(({ sessionId, times }): Struggle => ({
    kind: 'rewound',
    what: times === 1 ? 'Turns were taken back' : `Turns were taken back ${times} times`,
    places: [{ sessionId }],
  }))
  return [...corrected, ...rewound, ...failing, ...retriesIn(calls), ...refused]
}

/** What would have helped, as the person said it or as the agent found it out. */
export function lessonsOf({ prompts, calls }: HabitsEvidence): Lesson[] {
  const found = new Map<string, TurnRef[]>()
  const learn = (line: string, { sessionId, turn }: Turn) => {
    const places = found.get(line) ?? []
    found.set(line, [...places, { sessionId, turn }])
  }
  for (const prompt of prompts) {
    for (const { text, isStanding } of directivesIn(prompt.text)) {
      if (isStanding || prompt.turn > 0) learn(`- ${oneLine(text, 200)}`, prompt)
    }
  }
  for (const { failed, worked, ...place } of workedInstead(calls)) {
    learn(`- Run ${code(worked, 120)}, not ${code(failed, 120)}, which fails here.`, place)
  }
  return Array.from(found, ([line, places]) => ({ line, places }))
}

const MOST_TRIES = 3

/** The same call several times in one turn, each without success. */
function retriesIn(calls: readonly CallRow[]): Struggle[] {
  const tried = calls.filter((call) => {
    const kind = troubleOf(call)?.kind
    return kind === 'failed' || kind === 'exit'
  })
  const inTurn = Map.groupBy(tried, ({ sessionId, turn, tool }) =>
    JSON.stringify([sessionId, turn, tool]),
  )
  return [...inTurn.values()]
    .filter((rows) => rows.length >= MOST_TRIES)
    .map((rows) => ({
      kind: 'retried',
      what: `${code(rows[0]?.tool ?? '')} was tried ${rows.length} times in one turn without success`,
      places: placesOf(rows),
    }))
}

function grouped(
  calls: readonly CallRow[],
  kinds: readonly string[],
  least: number,
): [string, CallRow[]][] {
  const rows = calls.filter((call) => kinds.includes(troubleOf(call)?.kind ?? ''))
  return [...Map.groupBy(rows, whatOf)]
    .filter(([, all]) => all.length >= least)
    .sort(([, a], [, b]) => b.length - a.length)
}

const reasonOf = (rows: readonly CallRow[]): string => {
  const last = rows.at(-1)
  return last === undefined ? '' : (troubleOf(last)?.reason ?? '')
}

type Turn = Required<TurnRef>

function placesOf(rows: readonly Turn[]): TurnRef[] {
  const places = new Map(
    rows.map(({ sessionId, turn }) => [`${sessionId} ${turn}`, { sessionId, turn }]),
  )
  return [...places.values()]
}
