/** The fidelity report: of each kind of thing, how much was kept as it was, kept in another form, or lost. */
import { counted } from '../../lib/quantities.ts'

const KINDS = [
  'prompts',
  'answers',
  'thinking',
  'tool calls',
  'results',
  'diffs',
  'images',
  'sub-agents',
  'compactions',
  'usage',
  'times',
  'directory',
  'branch',
  'parents',
  'rewinds',
] as const
type Kind = (typeof KINDS)[number]
type Fate = 'kept' | 'changed' | 'lost'

type Count = Readonly<Record<Fate, number>>

export type FidelityReport = {
  readonly kinds: Readonly<Partial<Record<Kind, Count>>>
  /** Records of types that the reader does not know: kept raw, by their type. */
  readonly unknown: Readonly<Record<string, number>>
  readonly damaged: readonly {
    readonly part: string
    readonly offset: number
    readonly why: string
  }[]
  /** Beyond those that are listed. */
  readonly moreDamaged: number
  /** Calls that nobody answered. */
  readonly interrupted: number
  readonly turns: number
  /** Why something was changed or lost, each once. */
  readonly notes: readonly string[]
}

export interface Tally {
  count(kind: Kind, fate?: Fate, times?: number): void
  note(text: string): void
  unknown(type: string): void
  damaged(part: string, offset: number, why: string): void
  interrupted(): void
  turn(): void
  /** Records of which all is known and none says anything by itself. */
  understood(): void
  readonly report: FidelityReport
  /** Something was there, and nothing of it could be read. */
  readonly isForeign: boolean
}

const MOST_DAMAGED = 20
const MOST_NOTES = 20
const LONGEST_TYPE = 80

export function createTally(): Tally {
  const kinds = new Map<Kind, Record<Fate, number>>()
  const unknown = new Map<string, number>()
  const damaged: { part: string; offset: number; why: string }[] = []
  const notes = new Set<string>()
  let moreDamaged = 0
  let interrupted = 0
  let turns = 0
  let understood = 0
  return {
    count(kind, fate = 'kept', times = 1) {
      const counts = kinds.get(kind) ?? { kept: 0, changed: 0, lost: 0 }
      counts[fate] += times
      kinds.set(kind, counts)
    },
    note: (text) => void (notes.size < MOST_NOTES && notes.add(text)),
    unknown(type) {
      const name = type.slice(0, LONGEST_TYPE)
      unknown.set(name, (unknown.get(name) ?? 0) + 1)
    },
    damaged(part, offset, why) {
      if (damaged.length < MOST_DAMAGED) damaged.push({ part, offset, why })
      else moreDamaged += 1
    },
    interrupted: () => void (interrupted += 1),
    turn: () => void (turns += 1),
    understood: () => void (understood += 1),
    get report() {
      return {
        kinds: Object.fromEntries(kinds),
        unknown: Object.fromEntries(unknown),
        damaged,
        moreDamaged,
        interrupted,
        turns,
        notes: [...notes],
      }
    },
    get isForeign() {
      return turns === 0 && (unknown.size > 0 || damaged.length > 0 || understood === 0)
    },
  }
}

/** Several reports as one. */
export function addReports(reports: readonly FidelityReport[]): FidelityReport {
  const sum = createTally()
  let more = 0
  for (const report of reports) {
    for (const [kind, counts] of Object.entries(report.kinds))
      for (const fate of ['kept', 'changed', 'lost'] as const)
        if (counts[fate] > 0) sum.count(kind as Kind, fate, counts[fate])
    for (const [type, times] of Object.entries(report.unknown))
      for (let time = 0; time < times; time++) sum.unknown(type)
    for (const { part, offset, why } of report.damaged) sum.damaged(part, offset, why)
    for (let time = 0; time < report.interrupted; time++) sum.interrupted()
    for (let time = 0; time < report.turns; time++) sum.turn()
    for (const note of report.notes) sum.note(note)
    more += report.moreDamaged
  }
  return { ...sum.report, moreDamaged: sum.report.moreDamaged + more }
}

/** Only what is not as it was, in words: `2 images lost, 3 thinking changed`. Empty when all was kept. */
export function sayLosses({ kinds, unknown, damaged, moreDamaged }: FidelityReport): string {
  const parts = KINDS.flatMap((kind) =>
    (['lost', 'changed'] as const).flatMap((fate) => {
      const times = kinds[kind]?.[fate] ?? 0
      return times === 0 ? [] : [`${times} ${kind} ${fate}`]
    }),
  )
  const strange = Object.values(unknown).reduce((sum, times) => sum + times, 0)
  if (strange > 0) parts.push(`${counted(strange, 'unknown record')} kept raw`)
  const bad = damaged.length + moreDamaged
  if (bad > 0) parts.push(counted(bad, 'damaged record'))
  return parts.join(', ')
}
