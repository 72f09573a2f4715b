/** Asks the server. Every answer is JSON; every refusal has a code and a sentence for people. */
import { defined } from '../../../lib/defined.ts'
import type { ApiErrorCode, ErrorAnswer } from '../api.ts'

class ApiFailure extends Error {
  readonly code: ApiErrorCode | 'offline'
  constructor(code: ApiErrorCode | 'offline', message: string) {
    super(message)
    this.code = code
  }
}

let onUnreachable = () => {}
/** Told each time that the server was not reached, or did not answer in time. */
export const whenUnreachable = (act: () => void): void => void (onUnreachable = act)

export type Query = Readonly<Record<string, string | number | undefined>>

/** What only reads or only notes something down answers at once, also on a slow machine. */
const SOON_MS = 30_000
/** A model may have to answer first, or a large file to be written. */
export const LONG_MS = 15 * 60_000

export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  ask(path + searchOf(query), { method: 'GET', ...defined({ signal }) }, SOON_MS)

export const post = <T>(path: string, body: object = {}, deadlineMs = SOON_MS): Promise<T> =>
  ask(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
    deadlineMs,
  )

export const put = <T>(path: string, body: object): Promise<T> =>
  ask(
    path,
    {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
    SOON_MS,
  )

export const remove = <T>(path: string): Promise<T> => ask(path, { method: 'DELETE' }, SOON_MS)

/** What is a file to the server, read as text. */
export const getText = async (path: string): Promise<string> => {
  const response = await reach(path, { method: 'GET' }, LONG_MS)
  return response.ok ? response.text() : refused(response)
}

export const sessionPath = (id: string, rest = ''): string =>
  `/api/sessions/${encodeURIComponent(id)}${rest}`

export const sentence = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Nothing is known of what became of a request; the user may ask again. */
export const isOffline = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'offline'

export const isMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'not_found'

/** The link or the cookie is worth nothing any more. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'unauthorized'

function searchOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

async function ask<T>(path: string, init: RequestInit, deadlineMs: number): Promise<T> {
  const response = await reach(path, init, deadlineMs)
  return response.ok ? ((await response.json()) as T) : refused(response)
}

async function refused(response: Response): Promise<never> {
  // What is no JSON comes from something between the page and the server; the status tells enough.
  const answer: unknown = await response.json().catch(() => undefined)
  const { error } = (answer ?? {}) as Partial<ErrorAnswer>
  throw new ApiFailure(
    error?.code ?? 'internal',
    error?.message ??
      `The server answered ${response.status}, which says nothing more. If it stays so, look at what “reprise web” printed.`,
  )
}

async function reach(path: string, init: RequestInit, deadlineMs: number): Promise<Response> {
  const deadline = AbortSignal.timeout(deadlineMs)
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
  try {
    return await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init, signal })
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause
    onUnreachable()
    throw new ApiFailure('offline', deadline.aborted ? tooLate(deadlineMs) : UNREACHABLE)
  }
}

const UNREACHABLE =
  'The server cannot be reached: it may have ended, or the network is gone. Nothing was changed here.'
const tooLate = (ms: number) =>
  `The server did not answer within ${ms / 1000} seconds. Whether it was done is not known: look before you try again.`
