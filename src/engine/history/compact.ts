/**
 * Compaction puts a summary in the place of earlier messages, in the model context only: the log keeps
 * them all. The summary is durable as a checkpoint before the event that makes it count, so a failure at
 * any point leaves the context as it was.
 */
import type { DraftOf } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { readLog } from '../../log/read.ts'
import type { LogRecord } from '../../log/record.ts'
import { errorText } from '../../lib/error-text.ts'
import { traced } from '../../lib/telemetry.ts'
import { composeSummary } from '../../state/compaction.ts'
import { estimateTokens, tokensOf } from '../../state/token-estimate.ts'
import type { ModelContext } from '../../state/model-context.ts'
import { addCheckpoint } from '../../workspace/checkpoints.ts'
import { readPlan } from '../../workspace/plan.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'
import { changeMetadata } from '../sessions/change-metadata.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { runHooks } from '../turn/hooks.ts'
import { requireIdle, stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'
import { logPath } from '../../format/paths.ts'
import { withWriter, type WriterOptions } from '../live/writer.ts'

export type CompactOptions = WriterOptions & {
  readonly instructions?: string
  readonly trigger?: 'manual' | 'threshold' | 'context_limit_retry'
}

export type Compacted = {
  readonly checkpointNumber: number
  readonly checkpointPath: string
  readonly messagesRemoved: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export const compact = (
  engine: EngineContext,
  session: LiveSession,
  options: CompactOptions = {},
): Promise<Compacted> =>
  traced(
    'compaction',
    { session_id: session.id, trigger: options.trigger ?? 'manual' },
    () => compactContext(engine, session, options),
    ({ messagesRemoved, tokensBefore, tokensAfter }) => ({
      messages_removed: messagesRemoved,
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
    }),
  )

async function compactContext(
  engine: EngineContext,
  session: LiveSession,
  { instructions, trigger = 'manual', ...options }: CompactOptions,
): Promise<Compacted> {
  if (trigger === 'manual') requireIdle(session, 'compact')
  return withWriter(engine, session, options, async () => {
    const before = await modelContext(engine, session)
    if (before.messages.length === 0) {
      throw new EngineError(
        'invalid',
        `Session ${session.id} has nothing to compact. Nothing was changed.`,
      )
    }
    await refuseByHook(engine, session, trigger, instructions)
    const tokensBefore = tokensOf(before)
    await commit(engine, session, [
      {
        type: 'session.compaction_start',
        data: { conversationTokens: tokensBefore, currentTokens: tokensBefore, trigger },
      },
    ])
    let done: DraftOf<'session.compaction_complete'>
    try {
      const summary = await summarise(engine, session, before, instructions)
      const tokensAfter = estimateTokens(summary)
      const checkpoint = await addCheckpoint(engine.fs, session.dir, { text: summary })
      done = {
        type: 'session.compaction_complete',
        data: {
          success: true,
          summaryContent: summary,
          checkpointNumber: checkpoint.number,
          checkpointPath: checkpoint.path,
          preCompactionTokens: tokensBefore,
          postCompactionTokens: tokensAfter,
          preCompactionMessagesLength: before.messages.length,
          messagesRemoved: before.messages.length,
          tokensRemoved: Math.max(0, tokensBefore - tokensAfter),
          ...defined({ customInstructions: instructions }),
        },
      }
    } catch (cause) {
      const error = errorText(cause)
      await commit(engine, session, [
        { type: 'session.compaction_complete', data: { success: false, error } },
      ])
      throw new EngineError(
        'internal',
        `Nothing was compacted: ${error.replace(/\.?$/, '.')} The conversation is as it was.`,
        { cause },
      )
    }
    await commit(engine, session, [done])
    await changeMetadata(engine.fs, session.id, (file) => ({
      ...file,
      summary_count: stateOf(session).compaction.checkpoints.length,
    }))
    const { data } = done
    return {
      checkpointNumber: data.checkpointNumber ?? 0,
      checkpointPath: data.checkpointPath ?? '',
      messagesRemoved: before.messages.length,
      tokensBefore,
      tokensAfter: data.postCompactionTokens ?? 0,
    }
  })
}

async function refuseByHook(
  engine: EngineContext,
  session: LiveSession,
  trigger: string,
  instructions: string | undefined,
): Promise<void> {
  const signal = AbortSignal.timeout(SUMMARY_TIME_LIMIT_MS)
  const { denied } = await runHooks(
    engine,
    session,
    'preCompact',
    { trigger, instructions },
    signal,
  )
  if (denied === undefined) return
  throw new EngineError(
    'conflict',
    `A hook refused the compaction: ${denied}. Nothing was changed.`,
  )
}

async function summarise(
  engine: EngineContext,
  session: LiveSession,
  context: ModelContext,
  instructions: string | undefined,
): Promise<string> {
  const agent = await answeringIfAny(engine, session)
  if (agent?.summarise !== undefined) {
    const request = { context, ...defined({ instructions }) }
    return agent.summarise(request, AbortSignal.timeout(SUMMARY_TIME_LIMIT_MS))
  }
  const { contextFrom, size } = stateOf(session)
  const records: LogRecord[] = []
  for await (const batch of readLog(engine.fs, logPath(session.dir), {
    from: contextFrom,
    to: size,
  })) {
    records.push(...batch.records)
  }
  const planText = await readPlan(engine.fs, session.dir)
  return composeSummary(records, { ...defined({ planText }) })
}

const SUMMARY_TIME_LIMIT_MS = 5 * 60_000
