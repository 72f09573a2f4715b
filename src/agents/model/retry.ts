/**
 * One call of the model, tried again where that can help: when it was asked to come later, when the provider failed or
 * could not be reached, when an answer was cut short. What was told of a failed try is told again from its beginning,
 * under another message id.
 */
import type { AgentItem, Turn } from '../../engine/agent.ts'
import { defined } from '../../lib/defined.ts'
import { nearest } from '../../lib/nearest.ts'
import { count, tracedItems, type Attributes } from '../../lib/telemetry.ts'
import type { ModelConfig, ModelParts } from './config.ts'
import { diagnose, spokenName, type Diagnosis } from './errors.ts'
import { listModels } from './list-models.ts'
import { hashingFetch, keyHintOf, networkOf, openModel, type CallOptions } from './provider.ts'
import { streamStep, type StepResult } from './model-call.ts'
import { wholeAnswers } from './collect-response.ts'

export type Called = StepResult & {
  readonly apiCallId: string
  readonly durationMs: number
  readonly requestSha256: string | undefined
}

type CallPlan = {
  readonly config: ModelConfig
  readonly parts: ModelParts
  readonly model: string
  readonly request: CallOptions
  readonly callId: (given: string) => string
}

const MAX_RETRIES = 5
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000
/** Who is told to come back later than this is told so, instead of a turn that seems to hang. */
const LONGEST_REQUESTED_MS = 5 * 60_000
const IDLE_TIMEOUT_MS = 5 * 60_000

export async function* callModel(
  turn: Pick<Turn, 'turnId' | 'message'>,
  plan: CallPlan,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, Called, undefined> {
  const { config, parts } = plan
  const retries = config.maxRetries ?? MAX_RETRIES
  for (let attempt = 1; ; attempt++) {
    const apiCallId = parts.newId()
    const started = parts.now()
    yield told(turn, plan, apiCallId)
    try {
      const about = { turn_id: turn.turnId, model: plan.model, provider: config.provider }
      const call = once(plan, signal)
      const result = yield* tracedItems('model_call', { ...about, attempt }, call, countUsage(plan))
      const durationMs = parts.now() - started
      yield finished(turn, 'success', durationMs)
      return { ...result, apiCallId, durationMs }
    } catch (error) {
      signal.throwIfAborted()
      const found = diagnose(error, {
        provider: spokenName(config),
        model: plan.model,
        keyHint: keyHintOf(config),
      })
      const durationMs = parts.now() - started
      yield failure(plan, found, apiCallId, durationMs)
      yield finished(turn, 'error', durationMs)
      if (found.isUnknownModel === true) found.error.message += await knownIn(config, plan.model)
      if (found.kind !== 'again') throw found.error
      if (attempt > retries || (found.retryAfterMs ?? 0) > LONGEST_REQUESTED_MS)
        throw exhausted(found, attempt)
      yield {
        notice: {
          type: 'assistant.turn_retry',
          data: {
            turnId: turn.turnId,
            model: plan.model,
            reason: found.reason,
            attempt,
            mostAttempts: retries,
          },
        },
      }
      await parts.wait(found.retryAfterMs ?? pause(attempt), signal)
    }
  }
}

const LIST_MS = 3000
const MOST_NAMES = 12

/** The names that the endpoint itself lists, the nearest first; empty where it lists none. */
async function knownIn(config: ModelConfig, model: string): Promise<string> {
  const listed = await listModels(config, AbortSignal.timeout(LIST_MS)).catch(() => [])
  if (listed.length === 0) return ''
  const names = listed.map(({ name }) => name)
  const meant = nearest(model, names)
  const first = [...new Set([...(meant === undefined ? [] : [meant]), ...names])]
  const more = first.length > MOST_NAMES ? `, and ${first.length - MOST_NAMES} more` : ''
  return ` It has ${first.slice(0, MOST_NAMES).join(', ')}${more}.`
}

async function* once(
  { config, parts, model, request, callId }: CallPlan,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, StepResult & { requestSha256: string | undefined }, undefined> {
  const { fetch: hashing, sha256 } = hashingFetch(networkOf(config))
  const { fetch, stream } = wholeAnswers(hashing)
  const opened = await openModel(config, model, fetch)
  const options = {
    messageId: parts.newId(),
    now: parts.now,
    idleTimeoutMs: config.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    callId,
    stream,
  }
  return { ...(yield* streamStep(opened, request, options, signal)), requestSha256: sha256() }
}

const countUsage =
  ({ model }: CallPlan) =>
  ({ usage: { inputTokens, outputTokens } }: StepResult): Attributes => {
    count('input_tokens', inputTokens.total ?? 0, { model })
    count('output_tokens', outputTokens.total ?? 0, { model })
    return { input_tokens: inputTokens.total, output_tokens: outputTokens.total }
  }

/** Doubles, and differs from one caller to the next: many that failed together must not return together. */
const pause = (attempt: number) =>
  Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2)

function exhausted({ error, retryAfterMs }: Diagnosis, attempts: number): Error {
  const later =
    retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds.`
  const tries = attempts === 1 ? '' : ` It was tried ${attempts} times.`
  error.message = `${error.message}${tries}${later} Send the message again later, or type /retry.`
  return error
}

const told = (
  { turnId, message: { interactionId } }: Pick<Turn, 'turnId' | 'message'>,
  { model }: CallPlan,
  apiCallId: string,
): AgentItem => ({
  notice: {
    type: 'model.call_start',
    data: { model, turnId, apiCallId, ...defined({ interactionId }) },
  },
})

const finished = (
  { turnId, message: { interactionId } }: Pick<Turn, 'turnId' | 'message'>,
  outcome: 'success' | 'error',
  durationMs: number,
): AgentItem => ({
  notice: {
    type: 'model.call_finished',
    data: {
      turnId,
      outcome,
      dispatchDurationMs: durationMs,
      editClassifierVersion: 0,
      ...defined({ interactionId }),
    },
  },
})

const failure = (
  { model }: CallPlan,
  { reason, failureKind, statusCode, error }: Diagnosis,
  apiCallId: string,
  durationMs: number,
): AgentItem => ({
  notice: {
    type: 'model.call_failure',
    data: {
      source: 'top_level',
      model,
      apiCallId,
      errorMessage: reason,
      errorType: error.name,
      failureKind,
      durationMs,
      ...defined({ statusCode }),
    },
  },
})
