/** One row of the API: what a request must be, who may ask it, and what is done. */
import type { z } from 'zod'
import type { Control } from '../control.ts'
import type { Asker, Scope } from '../people/scopes.ts'

type Shape<B> = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly status?: number
  readonly body?: z.ZodType<B>
}

type Asked<B> = { readonly params: Readonly<Record<string, string>>; readonly body: B }

type ScopedRoute<B> = Shape<B> & {
  /** One of these is enough. */
  readonly scopes: readonly Scope[]
  run(control: Control, asked: Asked<B> & { readonly asker: Asker }): Promise<object>
}

/** Asked by whom nobody knows yet: each try counts. */
type OpenRoute<B> = Shape<B> & {
  readonly scopes: 'open'
  run(control: Control, asked: Asked<B>): Promise<object>
}

export type ApiRoute = ScopedRoute<unknown> | OpenRoute<unknown>

/** The body has the type of its schema inside `run`; outside a route is a route. */
export const route = <B>(row: ScopedRoute<B>): ApiRoute => row as ApiRoute

export const openRoute = <B>(row: Omit<OpenRoute<B>, 'scopes'>): ApiRoute =>
  ({ ...row, scopes: 'open' }) as ApiRoute
