/** Asks the server. Every answer is JSON; every refusal has a code and a sentence for people. */
import type { ApiErrorCode, ErrorAnswer } from '../api.ts'

class ApiFailure extends Error {
  readonly code: ApiErrorCode | 'offline'
  constructor(code: ApiErrorCode | 'offline', message: string) {
    super(message)
    this.code = code
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>

export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  ask(path + searchOf(query), { method: 'GET', ...(signal && { signal }) })

export const post = <T>(path: string, body: object = {}): Promise<T> =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** What is a file to the server, read as text. */
export const getText = async (path: string): Promise<string> => {
  const response = await reach(path, { method: 'GET' })
  return response.ok ? response.text() : refused(response)
}

export const sessionPath = (id: string, rest = ''): string =>
  `/api/sessions/${encodeURIComponent(id)}${rest}`

export const sentence = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** The link or the cookie is worth nothing any more. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'unauthorized'

function searchOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await reach(path, init)
  return response.ok ? ((await response.json()) as T) : refused(response)
}

async function refused(response: Response): Promise<never> {
  // What is no JSON comes from something between the page and the server; the status tells enough.
  const answer: unknown = await response.json().catch(() => undefined)
  const { error } = (answer ?? {}) as Partial<ErrorAnswer>
  throw new ApiFailure(
    error?.code ?? 'internal',
    error?.message ?? `The server answered ${response.status}.`,
  )
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init })
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiFailure('offline', 'The server cannot be reached.')
  }
}
