/** What a session has done until now, in numbers: lines of code, time and tokens of models. Nothing is made up. */
import type { Payload } from '../../format/event.ts'
import { readSpent } from '../../log/spent.ts'
import { spentIn, withTakenBack, type SessionUsage } from '../../state/spent.ts'
import type { EngineContext } from '../engine-context.ts'
import { planFiles, previewOf } from '../history/rewind-files.ts'
import type { Gauge } from './context-usage.ts'
import { stateOf, type LiveSession } from './live-session.ts'

type Shutdown = Payload<'session.shutdown'>
export type SessionMetrics = Pick<
  Shutdown,
  | 'codeChanges'
  | 'modelMetrics'
  | 'totalApiDurationMs'
  | 'totalPremiumRequests'
  | 'totalNanoAiu'
  | keyof Gauge
>

export async function metricsOf(
  engine: EngineContext,
  session: LiveSession,
): Promise<SessionMetrics> {
  const usage = await usageOf(engine, session)
  return {
    totalPremiumRequests: usage.cost,
    totalApiDurationMs: usage.durationMs,
    totalNanoAiu: usage.models.reduce((sum, { nanoAiu }) => sum + nanoAiu, 0),
    ...session.work.gauge,
    codeChanges: await codeChanges(engine, session),
    modelMetrics: Object.fromEntries(
      usage.models.map(({ model, requests, cost, nanoAiu, ...tokens }) => {
        const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } =
          tokens
        return [
          model,
          {
            requests: { count: requests, cost },
            usage: {
              inputTokens,
              outputTokens,
              cacheReadTokens,
              cacheWriteTokens,
              reasoningTokens,
            },
            totalNanoAiu: nanoAiu,
          },
        ]
      }),
    ),
  }
}

export async function usageOf(engine: EngineContext, session: LiveSession): Promise<SessionUsage> {
  const { usage, startTime, model } = stateOf(session)
  const spent = await readSpent(engine.fs, session.dir, (removed) => spentIn(removed, model))
  return withTakenBack(usage, spent, startTime)
}

/** What changed in the project, as far as it is recorded, against what was there before the first turn. */
async function codeChanges(
  engine: EngineContext,
  session: LiveSession,
): Promise<Shutdown['codeChanges']> {
  const [first] = stateOf(session).turns
  if (first === undefined) return { linesAdded: 0, linesRemoved: 0, filesModified: [] }
  const changed = previewOf(engine, session, await planFiles(engine, session, first.start)).filter(
    ({ of, verdict }) => of === 'project' && verdict !== 'already',
  )
  const sum = (key: 'linesAdded' | 'linesRemoved') =>
    changed.reduce((total, each) => total + each[key], 0)
  return {
    linesAdded: sum('linesAdded'),
    linesRemoved: sum('linesRemoved'),
    filesModified: changed.map(({ absolutePath }) => absolutePath),
  }
}
