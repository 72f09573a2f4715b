/** One row of the API: what a request must be, who may ask it, and what is done. */
import type { z } from 'zod'
import type { Control } from '../control.ts'
import type { Asker, Scope } from '../people/scopes.ts'

type Shape<B> = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly status?: number
  readonly body?: z.ZodType<B>
  /** In place of a body of JSON: it is taken as it comes, and has at most so many bytes. */
  readonly mostBytes?: number
  /** What is answered, when it is not JSON. */
  readonly answers?: 'application/octet-stream' | 'text/event-stream'
}

type Asked<B> = {
  readonly params: Readonly<Record<string, string>>
  /** One value a name. */
  readonly query: Readonly<Record<string, string>>
  readonly body: B
  /** Of a route with `mostBytes`. */
  readonly bytes: Buffer
  readonly headers: Headers
  /** Fires when who asks has left. */
  readonly signal: AbortSignal
}

type ScopedRoute<B> = Shape<B> & {
  /** One of these is enough. */
  readonly scopes: readonly Scope[]
  /** A guest may ask it too, of their session; what they are told is redacted there. */
  readonly isForGuests?: true
  run(control: Control, asked: Asked<B> & { readonly asker: Asker }): Promise<object | Response>
}

/** Asked by whom nobody knows yet: each try counts, but of who has a right code that nobody can guess. */
type OpenRoute<B> = Shape<B> & {
  readonly scopes: 'open'
  /** It is answered only to a right code. */
  readonly isProof?: true
  run(control: Control, asked: Asked<B>): Promise<object>
}

export type ApiRoute = ScopedRoute<unknown> | OpenRoute<unknown>

/** The body has the type of its schema inside `run`; outside a route is a route. */
export const route = <B>(row: ScopedRoute<B>): ApiRoute => row as ApiRoute

export const openRoute = <B>(row: Omit<OpenRoute<B>, 'scopes'>): ApiRoute =>
  ({ ...row, scopes: 'open' }) as ApiRoute
