/** What a person who goes on with a session elsewhere should know, in words. Nothing is changed by it. */
import { defined } from '../../lib/defined.ts'
import { readLog } from '../../log/read.ts'
import type { LogRecord } from '../../log/record.ts'
import { composeSummary } from '../../state/compaction.ts'
import { readPlan } from '../../workspace/plan.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'
import { logPath } from '../../format/paths.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'

const TIME_LIMIT_MS = 5 * 60_000

export async function summariseForHandoff(
  engine: EngineContext,
  session: LiveSession,
): Promise<string> {
  if (!session.written.hasLog) return ''
  const context = await modelContext(engine, session)
  const agent = await answeringIfAny(engine, session)
  if (agent?.summarise !== undefined && context.messages.length > 0)
    return agent.summarise({ context }, AbortSignal.timeout(TIME_LIMIT_MS))
  const { contextFrom: from, size: to } = stateOf(session)
  const records: LogRecord[] = []
  for await (const batch of readLog(engine.fs, logPath(session.dir), { from, to }))
    records.push(...batch.records)
  const planText = await readPlan(engine.fs, session.dir)
  return composeSummary(records, { ...defined({ planText }) })
}
