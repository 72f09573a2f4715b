/** What can go wrong with a call of a model, and what is to be done about it: try again, make room, or tell plainly. */
import { defined } from '../../lib/defined.ts'
import type { ModelConfig } from './config.ts'

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

export type Diagnosis = {
  readonly kind: 'context_limit' | 'again' | 'fatal'
  readonly error: Error
  /** One line for the person who waits. */
  readonly reason: string
  readonly failureKind: 'api' | 'transport'
  readonly statusCode?: number
  readonly retryAfterMs?: number
}

/** Told by a library of a provider, or by a stream; told apart by what they hold, for each has its own class. */
type Told = {
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
  readonly code?: unknown
  readonly type?: unknown
  readonly cause?: unknown
  readonly error?: unknown
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
  // An answer that began well and then could not be read on: its connection broke.
  const isBroken = statusCode === 200 || thrown instanceof CutStream
  const reason = isBroken
    ? 'the connection broke'
    : (transportWords(thrown) ?? preview(spokenReason(told) ?? text))
  const isTransport = isBroken || (statusCode === undefined && isFromTransport(thrown))
  const base = {
    reason: statusCode === undefined || isBroken ? reason : `${statusCode}: ${reason}`,
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
    return fatal(
      'configuration',
      `${where.provider} does not know the model ${where.model} at this address (${base.reason}). Choose another model or base URL.`,
    )
  }
  if (statusCode === 429)
    return again(
      'rate_limit',
      `${where.provider} limits how often it may be called (${base.reason}).`,
    )
  if (isBroken)
    return again(
      'unavailable',
      `The connection to ${where.model} broke in the middle of its answer. The part that came is kept.`,
    )
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

function isFromTransport(thrown: unknown): boolean {
  if (thrown instanceof CutStream) return true
  if (!(thrown instanceof Error)) return false
  if (thrown instanceof TypeError && /fetch failed|terminated|network/i.test(thrown.message))
    return true
  const { code } = thrown as { code?: unknown }
  if (typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) return true
  return (
    /cannot connect to api|without a finish reason/i.test(thrown.message) ||
    isFromTransport(thrown.cause)
  )
}

const TRANSPORT_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'there is no network',
}

function transportWords(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { code } = thrown as { code?: unknown }
  return TRANSPORT_WORDS[String(code)] ?? transportWords(thrown.cause)
}

function textOf(told: Told): string {
  const parts = [told.message, told.responseBody, told.code, told.type]
  const inner = told.error
  if (typeof inner === 'object' && inner !== null) parts.push(textOf(inner as Told))
  if (typeof told.cause === 'object' && told.cause !== null && typeof told.statusCode !== 'number')
    parts.push(textOf(told.cause as Told))
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}

/** What the provider says in the body of its answer, if it has one. */
function spokenReason({ responseBody, message }: Told): string | undefined {
  if (typeof responseBody !== 'string') return undefined
  try {
    const { error, message: plain } = JSON.parse(responseBody) as {
      error?: { message?: unknown } | string
      message?: unknown
    }
    const said = typeof error === 'object' ? error.message : (error ?? plain)
    return typeof said === 'string' && said !== '' ? said : undefined
  } catch {
    // Not JSON, the page of a proxy perhaps: its beginning is shown as it is.
    return `${String(message)} ${responseBody}`
  }
}

const preview = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
  return line === '' ? 'no reason was given' : line
}

/** In milliseconds; a number of seconds or a date, as HTTP has it. */
function retryAfter(headers: unknown): number | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const given = headers as Readonly<Record<string, unknown>>
  const inMs = Number(given['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(inMs) && inMs >= 0) return inMs
  const value = given['retry-after']
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
