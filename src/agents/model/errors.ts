/** What can go wrong with a call of a model, and what is to be done about it: try again, make room, or tell plainly. */
import { defined } from '../../lib/defined.ts'
import { refusedIn } from '../../lib/guarded-fetch.ts'
import type { ModelConfig } from './config.ts'
import {
  answerIn,
  preview,
  retryAfter,
  spokenReason,
  textOf,
  transportWords,
  type Told,
} from './error-words.ts'

type ModelErrorCode =
  'authentication' | 'configuration' | 'quota' | 'rate_limit' | 'unavailable' | 'refused'

export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  /** As programs know it. */
  readonly errorType: string
  readonly statusCode: number | undefined

  constructor(
    code: ModelErrorCode,
    message: string,
    { statusCode, ...options }: { cause?: unknown; statusCode?: number } = {},
  ) {
    super(message, options)
    this.code = code
    this.errorType = ERROR_TYPES[code]
    this.statusCode = statusCode
  }
}

const ERROR_TYPES = {
  authentication: 'authentication',
  quota: 'quota',
  rate_limit: 'rate_limit',
  configuration: 'query',
  unavailable: 'query',
  refused: 'query',
} as const satisfies Record<ModelErrorCode, string>

/** There was more said than the model takes. The engine can compact and try again. */
export class ContextLimitError extends Error {
  override readonly name = 'ContextLimitError'
  readonly code = 'context_limit'
  readonly errorType = 'context_limit'
}

/** A call that ended without saying that it was complete. */
export class CutStream extends Error {
  override readonly name = 'CutStream'
}

/** Something answered that is no model: what it sent, in words. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export type Diagnosis = {
  readonly kind: 'context_limit' | 'again' | 'fatal'
  readonly error: Error
  /** One line for the person who waits. */
  readonly reason: string
  readonly failureKind: 'api' | 'transport'
  readonly statusCode?: number
  readonly retryAfterMs?: number
  /** The provider answers, and has no model of that name. */
  readonly isUnknownModel?: true
}

const CONTEXT_LIMIT =
  /context_length_exceeded|maximum context length|context window|context length|prompt is too long|input (?:is|length) .{0,40}(?:too long|exceed)|too many (?:input )?tokens|exceeds? .{0,40}context|reduce the length of the messages|request_too_large/i
const QUOTA = /insufficient_quota|credit balance is too low|billing/i
const NO_MODEL = /model_not_found|model .{0,80}(?:not found|does not exist)|not_found_error/i
const OVERLOADED =
  /overloaded|rate.?limit|server_error|internal_error|internal server|unavailable|timeout/i

export function diagnose(
  thrown: unknown,
  where: { provider: string; model: string; keyHint: string },
): Diagnosis {
  const told = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: thrown }
  ) as Told
  const statusCode = typeof told.statusCode === 'number' ? told.statusCode : undefined
  const text = textOf(told)
  // Whole, but not what a model answers.
  const isStrange = statusCode === 200 && answerIn(told) !== undefined
  // An answer that began well and then could not be read on: its connection broke.
  const isBroken = (statusCode === 200 && !isStrange) || isCut(thrown)
  const reason = isBroken
    ? 'the connection broke'
    : (transportWords(thrown) ?? preview(spokenReason(told) ?? text))
  const isTransport = isBroken || (statusCode === undefined && isFromTransport(thrown))
  const base = {
    reason: (statusCode ?? 200) === 200 ? reason : `${statusCode}: ${reason}`,
    failureKind: isTransport ? ('transport' as const) : ('api' as const),
    ...defined({ statusCode }),
  }
  const cause = { cause: thrown, ...(!isBroken && defined({ statusCode })) }
  const fatal = (code: ModelErrorCode, message: string): Diagnosis => ({
    ...base,
    kind: 'fatal',
    error: new ModelError(code, message, cause),
  })
  const again = (code: ModelErrorCode, message: string): Diagnosis => {
    const retryAfterMs = retryAfter(told.responseHeaders)
    const error = new ModelError(code, message, cause)
    return { ...base, kind: 'again', error, ...defined({ retryAfterMs }) }
  }
  if (thrown instanceof NoAnswer)
    return fatal(
      'configuration',
      `${where.provider} answered with ${reason}, and not as a model does. Is the base URL right? It usually ends with /v1.`,
    )
  const guarded = refusedIn(thrown)
  if (guarded !== undefined) return fatal('configuration', guarded.message)
  if (thrown instanceof ModelError) return { ...base, kind: 'fatal', error: thrown }
  if (thrown instanceof ContextLimitError) return { ...base, kind: 'context_limit', error: thrown }
  if (statusCode === 413 || ((statusCode ?? 400) < 429 && CONTEXT_LIMIT.test(text))) {
    const error = new ContextLimitError(`The conversation is too long for ${where.model}.`, cause)
    return { ...base, kind: 'context_limit', error }
  }
  if (statusCode === 401 || statusCode === 403) {
    return fatal(
      'authentication',
      `${where.provider} did not accept the credentials (${base.reason}). Set ${where.keyHint}, then try again.`,
    )
  }
  if (QUOTA.test(text))
    return fatal('quota', `The account at ${where.provider} has no credit left (${base.reason}).`)
  if (statusCode === 404 || NO_MODEL.test(text)) {
    const told = fatal(
      'configuration',
      `${where.provider} does not know the model ${where.model} at this address (${base.reason}). Choose another model or base URL.`,
    )
    return { ...told, isUnknownModel: true }
  }
  if (statusCode === 429)
    return again(
      'rate_limit',
      `${where.provider} limits how often it may be called (${base.reason}).`,
    )
  if (isBroken)
    return again(
      'unavailable',
      `The connection to ${where.model} broke before its answer was complete. What came of it is kept.`,
    )
  if (isStrange)
    return again('unavailable', `${where.provider} gave no answer of a model (${reason}).`)
  if (isTransport)
    return again('unavailable', `${where.provider} could not be reached (${reason}).`)
  if (
    (statusCode ?? 0) >= 500 ||
    statusCode === 408 ||
    statusCode === 409 ||
    isOverload(statusCode, text)
  ) {
    return again('unavailable', `${where.provider} failed (${base.reason}).`)
  }
  return fatal('refused', `${where.provider} refused the request (${base.reason}).`)
}

/** As people know it: a server of their own by its address. */
export const spokenName = ({
  provider,
  baseUrl = '',
}: Pick<ModelConfig, 'provider' | 'baseUrl'>): string =>
  provider === 'openai-compatible' && URL.canParse(baseUrl)
    ? new URL(baseUrl).host
    : { 'openai-compatible': 'The server', openai: 'OpenAI', anthropic: 'Anthropic' }[provider]

/** Inside a stream there is no status, only words. */
const isOverload = (statusCode: number | undefined, text: string) =>
  statusCode === undefined && OVERLOADED.test(text)

/** It ended too early, or in the middle of a line. */
const isCut = (thrown: unknown): boolean =>
  thrown instanceof CutStream ||
  (thrown instanceof Error &&
    (thrown.name === 'AI_JSONParseError' || /without a finish reason/i.test(thrown.message)))

function isFromTransport(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown instanceof TypeError && /fetch failed|terminated|network/i.test(thrown.message))
    return true
  const { code } = thrown as { code?: unknown }
  if (typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) return true
  return /cannot connect to api/i.test(thrown.message) || isFromTransport(thrown.cause)
}
