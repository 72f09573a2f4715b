/** What a failed call of a model says of itself: in the classes of libraries, in the body of an answer, in its headers. */
import { fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

/** Told by a library of a provider, or by a stream; told apart by what they hold, for each has its own class. */
export type Told = {
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
  readonly code?: unknown
  readonly type?: unknown
  readonly cause?: unknown
  readonly error?: unknown
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

export function transportWords(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { code } = thrown as { code?: unknown }
  return TRANSPORT_WORDS[String(code)] ?? transportWords(thrown.cause)
}

export function textOf(told: Told): string {
  const parts = [told.message, told.responseBody, told.code, told.type]
  const inner = told.error
  if (typeof inner === 'object' && inner !== null) parts.push(textOf(inner as Told))
  if (typeof told.cause === 'object' && told.cause !== null && typeof told.statusCode !== 'number')
    parts.push(textOf(told.cause as Told))
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}

/** The object that was answered, if it was one. */
export function answerIn({ responseBody }: Told): Fields | undefined {
  if (typeof responseBody !== 'string') return undefined
  try {
    return fieldsOf(JSON.parse(responseBody))
  } catch {
    // Not JSON: the page of a proxy perhaps, or half an answer.
    return undefined
  }
}

/** What the provider says in the body of its answer, if it has one. */
export function spokenReason(told: Told): string | undefined {
  const { responseBody, message } = told
  if (typeof responseBody !== 'string') return undefined
  const answer = answerIn(told)
  if (answer === undefined)
    return /^\s*</.test(responseBody) ? String(message) : `${String(message)} ${responseBody}`
  const { error } = answer
  return (
    textIn(fieldsOf(error), 'message') ??
    (typeof error === 'string' ? error : undefined) ??
    textIn(answer, 'message') ??
    responseBody
  )
}

export const preview = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
  return line === '' ? 'no reason was given' : line
}

/** In milliseconds; a number of seconds or a date, as HTTP has it. */
export function retryAfter(headers: unknown): number | undefined {
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
