/**
 * Importing as commands see it: which agents are here, one pass over them with its sums, and going on with it whenever
 * one of their folders changes.
 */
import { watch, type FSWatcher } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../engine/engine.ts'
import type { AgentName } from './convert/port.ts'
import { agentTitles } from './convert/readers.ts'
import { addReports, type FidelityReport } from './convert/fidelity-report.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import { finders } from './finders.ts'
import type { Surroundings, Unreadable } from './found.ts'
import { importAll } from './import-all.ts'
import type { Came, ImportOptions } from './import.ts'

export type AgentSum = { readonly agent: AgentName; readonly title: string } & Record<
  Came['outcome'],
  number
> & { readonly turns: number }

export type ImportPass = {
  readonly agents: readonly AgentSum[]
  readonly report: FidelityReport
  /** Those of which something could not be kept, or nothing be read, with the reason; the first hundred. */
  readonly failed: readonly Pick<Came, 'agent' | 'nativeId' | 'path' | 'why'>[]
  readonly unreadable: readonly Unreadable[]
  /** The sessions that came or changed; the first thousand. */
  readonly sessions: readonly string[]
}

const MOST_FAILED = 100
const MOST_SESSIONS = 1000
/** Reports are added up as they come, so that none has to be kept. */
const NO_REPORT = addReports([])

type Pass = ImportOptions & {
  readonly agents: readonly AgentName[]
  readonly around: Surroundings
  readonly signal?: AbortSignal
  readonly onProgress?: (text: string) => void
}

export async function importPass(engine: Engine, pass: Pass): Promise<ImportPass> {
  const { onProgress, ...given } = pass
  const sums = new Map<AgentName, AgentSum>()
  const failed: ImportPass['failed'][number][] = []
  const sessions: string[] = []
  let report = NO_REPORT
  const unreadable = await importAll(engine, {
    ...given,
    onCame: ({ agent, nativeId, outcome, path, why, report: own, sessions: ids }, done) => {
      const sum = sums.get(agent) ?? emptySum(agent)
      sums.set(agent, { ...sum, [outcome]: sum[outcome] + 1, turns: sum.turns + (own?.turns ?? 0) })
      if (own !== undefined && outcome !== 'failed') report = addReports([report, own])
      if (outcome === 'failed' && failed.length < MOST_FAILED)
        failed.push({ agent, nativeId, ...defined({ path, why }) })
      if (outcome !== 'unchanged' && outcome !== 'own' && sessions.length < MOST_SESSIONS)
        sessions.push(...ids)
      onProgress?.(`${counted(done, 'session')} looked at, now ${agentTitles[agent]} …`)
    },
  })
  return { agents: [...sums.values()], report, failed, unreadable, sessions }
}

const emptySum = (agent: AgentName): AgentSum => ({
  agent,
  title: agentTitles[agent],
  imported: 0,
  extended: 0,
  branched: 0,
  unchanged: 0,
  own: 0,
  deleted: 0,
  found: 0,
  empty: 0,
  failed: 0,
  turns: 0,
})

const QUIET_MS = 1_000
/** Should nothing tell of a change, it is looked for all the same. */
const SWEEP_MS = 15 * 60_000

/** One pass after the other, whenever something changes, until it is stopped. */
export async function importOnChange(
  engine: Engine,
  pass: Pass & { readonly signal: AbortSignal },
  onPass: (done: ImportPass) => void,
): Promise<void> {
  const { agents, around, signal } = pass
  let wake: () => void = () => {}
  const roots = agents.flatMap((agent) => finders[agent].roots(around))
  const watchers = new Map<string, FSWatcher>()
  function watchRoots(): void {
    for (const root of roots.filter((each) => !watchers.has(each)))
      try {
        const watcher = watch(root, { recursive: true }, () => wake())
        watcher.on('error', () => {})
        watchers.set(root, watcher)
      } catch {
        // It is not there yet, or cannot be watched: the next sweep looks at it, and tries again.
      }
  }
  try {
    while (!signal.aborted) {
      watchRoots()
      const changed = new Promise<void>((resolve) => (wake = resolve))
      onPass(await importPass(engine, pass))
      // Ended by the signal, which is no failure.
      await Promise.race([changed, pause(SWEEP_MS, undefined, { signal, ref: true })]).catch(
        () => {},
      )
      if (!signal.aborted) await pause(QUIET_MS, undefined, { signal }).catch(() => {}) // as above
    }
  } finally {
    for (const watcher of watchers.values()) watcher.close()
  }
}
