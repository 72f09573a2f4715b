/** Reads the evidence of a report from the store and makes the report. */
import { join } from 'node:path'
import { defined } from '../../lib/defined.ts'
import { readSmallText } from '../../lib/small-text.ts'
import type { Connection } from '../connection.ts'
import type { RewindReader } from '../rewinds.ts'
import { sqlOf } from '../sql.ts'
import type { Activity } from './activity.ts'
import type { InstructionFile } from './instruction-diff.ts'
import type { Prices } from './prices.ts'
import type { Report, ReportKind, Scope } from './report.ts'
import { sinceTime } from './since.ts'

export type ReportOptions = {
  readonly now: Date
  /** `24h`, `7d`, or a date. Each kind has its own when it is left out. */
  readonly since?: string
  /** `owner/name`, the name alone, or a directory that belongs to no repository. */
  readonly repository?: string
  /** Where the instruction file of the project is, or would be. */
  readonly root?: string
  /** How often turns were taken back, which the store does not know. */
  readonly rewinds?: RewindReader
  readonly prices?: Prices
  /** Of the person who reads it. Default: UTC. */
  readonly zone?: string
}

const usual: Record<ReportKind, string> = {
  standup: '24h',
  tips: '30d',
  improve: '30d',
  cost: '30d',
}

/** Throws `BadPeriod` when `since` is none, `StoreUnavailable` when there is nothing to read now. */
export async function makeReport(
  connection: Connection,
  kind: ReportKind,
  options: ReportOptions,
): Promise<Report> {
  return makers[kind](connection, scopeOf(options, usual[kind]), options)
}

/** In whole weeks, as a calendar of it has. */
const A_YEAR = '371d'

/** What charts are drawn from. Throws as `makeReport` does. */
export async function readActivityOf(
  connection: Connection,
  options: ReportOptions,
): Promise<Activity & Scope> {
  const { readActivity } = await import('./activity.ts')
  const scope = scopeOf(options, A_YEAR)
  const { prices } = options
  const read = await connection.use((db) => readActivity(sqlOf(db), scope, defined({ prices })))
  return { ...read, ...scope }
}

function scopeOf({ since, now, repository, zone }: ReportOptions, usually: string): Scope {
  return {
    since: sinceTime(since ?? usually, now),
    until: now.toISOString(),
    ...defined({ repository, zone }),
  }
}

type Maker = (connection: Connection, scope: Scope, options: ReportOptions) => Promise<Report>

const makers: Record<ReportKind, Maker> = {
  async standup(connection, scope) {
    const [{ readStandup }, { standup }] = await Promise.all([
      import('./standup-evidence.ts'),
      import('./standup.ts'),
    ])
    return standup(await connection.use((db) => readStandup(sqlOf(db), scope)), scope)
  },
  async tips(connection, scope) {
    const [{ readHabits }, { tips }] = await Promise.all([
      import('./habits-evidence.ts'),
      import('./tips.ts'),
    ])
    return tips(await connection.use((db) => readHabits(sqlOf(db), scope)), scope)
  },
  async improve(connection, scope, { root, rewinds }) {
    const [{ readHabits }, { improve }] = await Promise.all([
      import('./habits-evidence.ts'),
      import('./improve.ts'),
    ])
    const evidence = await connection.use((db) => readHabits(sqlOf(db), scope))
    const ids = evidence.sessions.map(({ id }) => id)
    return improve(evidence, scope, {
      file: await findInstructionFile(root),
      ...(rewinds !== undefined && { rewinds: await rewinds(ids, scope.since) }),
    })
  },
  async cost(connection, scope, { prices }) {
    const [{ readCost }, { cost }] = await Promise.all([
      import('./cost-evidence.ts'),
      import('./cost.ts'),
    ])
    return cost(await connection.use((db) => readCost(sqlOf(db), scope)), scope, {
      ...defined({ prices }),
    })
  },
}

const NAMES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md']

/** The first that is there; AGENTS.md when there is none. */
async function findInstructionFile(root: string | undefined): Promise<InstructionFile> {
  for (const path of root === undefined ? [] : NAMES) {
    const text = await readSmallText(join(root ?? '', path))
    if (text !== undefined) return { path, text }
  }
  return { path: 'AGENTS.md', text: undefined }
}
