/**
 * One operation of a session, declared once: its name is the key of its row, its parameters are a schema, and the row
 * says who may ask for it and which process answers. Handles, the inbox of another process, Mission Control, the page's
 * API, JSON-RPC and the documents are derived from the rows.
 */
import { z } from 'zod'
import type { SessionId } from '../../format/ids.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { resume } from '../live/resume.ts'
import type { Pending } from '../transport/pending.ts'
import { translateError } from '../translate-error.ts'

/**
 * Who asks. `owner`: the person at the session's own machine; `guest`: the holder of a guest link of the page;
 * `neighbour`: another process of the same user; `watch` and `steer`: the scopes of a token of Mission Control;
 * `agent`: the session's own agent.
 */
type Role = 'owner' | 'guest' | 'neighbour' | 'watch' | 'steer' | 'agent'

/**
 * Which process answers. `log`: any that has the log, or a copy of it; `machine`: any process on the session's machine;
 * `turn`: the process that runs the turn, while one runs.
 */
type Where = 'log' | 'machine' | 'turn'

export type Row<P, A, W = P> = {
  /** An imperative sentence, for documents and refusals. */
  readonly summary: string
  /** What a wire must send. Callers in this process are checked by the compiler. */
  readonly takes: z.ZodType<W>
  /** Parameters that the method takes by position, in front of an object with the others. */
  readonly args?: A
  /** Required: an operation that nobody was named for does not compile. */
  readonly may: readonly [Role, ...Role[]]
  readonly where: Where
  /** The copy in Mission Control answers where the machine cannot be asked. */
  readonly orCopy?: true
  /** The name by which releases before this one ask. */
  readonly formerly?: string
  /** The result as JSON, and back, where it is not JSON already. */
  readonly toJson?: (result: never) => unknown
  readonly fromJson?: (json: never) => unknown
  /** It allows more than once, or a wider mode: from afar only where the machine's configuration says so. */
  readonly widens?: (
    session: { pending(): Promise<Pending> },
    params: P,
  ) => boolean | Promise<boolean>
}

/** How the process is found that runs what an operation is about. */
export type AtTurn<P> = {
  /** This process has it. */
  readonly isHere?: (session: LiveSession, params: P) => boolean
  /** The queue outlives turns: it belongs to the process that serves the inbox. */
  readonly isAboutQueue?: true
  /** What the log shows once the operation is done; the asker waits for that. */
  readonly shows?: (params: P) => (state: SessionState) => boolean
  /** What a caller in the turn's own process waits for behind it. */
  readonly ends?: (session: LiveSession) => Promise<unknown>
}

/** `name`: the key of the row, by which another process is asked. */
export type Call = { readonly engine: EngineContext; readonly id: SessionId; readonly name: string }

export type Operation<P = never, R = unknown, A = readonly PropertyKey[]> = Row<P, A> & {
  run(call: Call, params: P): Promise<R>
  /** Present where the turn's process answers: done in that process. */
  readonly atTurn?: AtTurn<P> & { readonly here: Run<P, R> }
}

export type Run<P, R> = (engine: EngineContext, session: LiveSession, params: P) => Promise<R> | R

/** On the session as this process has it; the first operation that needs the session opens it. */
export const onOpen = <W extends P, R, const A extends readonly (keyof P)[] = [], P = W>(
  row: Row<P, A, W>,
  run: Run<P, R>,
): Operation<P, R, A> => ({
  ...row,
  run: (call, params) => withOpen(call, (session) => run(call.engine, session, params)),
})

/** After what other processes wrote was read. */
export const onFresh = <W extends P, R, const A extends readonly (keyof P)[] = [], P = W>(
  row: Row<P, A, W>,
  run: Run<P, R>,
): Operation<P, R, A> => ({
  ...row,
  run: ({ engine, id }, params) =>
    translated(async () =>
      using(await resume(engine, id), (session) => run(engine, session, params)),
    ),
})

/** From the files of the session, without opening it. */
export const onFiles = <W extends P, R, const A extends readonly (keyof P)[] = [], P = W>(
  row: Row<P, A, W>,
  run: (engine: EngineContext, id: SessionId, params: P) => Promise<R>,
): Operation<P, R, A> => ({
  ...row,
  run: ({ engine, id }, params) => translated(() => run(engine, id, params)),
})

/** The session as this process has it; opened when this is the first to need it. */
export const withOpen = <T>(
  { engine, id }: Pick<Call, 'engine' | 'id'>,
  action: (session: LiveSession) => Promise<T> | T,
): Promise<T> =>
  translated(async () => {
    const live = engine.closing.has(id) ? undefined : engine.live.get(id)
    return using(live ?? (await resume(engine, id)), action)
  })

/** A session in use is not closed as one that nobody needs. */
async function using<T>(
  session: LiveSession,
  action: (session: LiveSession) => Promise<T> | T,
): Promise<T> {
  const { use } = session
  use.underWay += 1
  use.lastAt = performance.now()
  try {
    return await action(session)
  } finally {
    use.underWay -= 1
    use.lastAt = performance.now()
  }
}

export async function translated<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    throw translateError(cause)
  }
}

/** The method of a handle that an operation becomes. */
export type Method<O> =
  O extends Operation<infer P, infer R, infer A>
    ? A extends readonly (keyof P)[]
      ? (...given: [...Positional<P, A>, ...Others<Omit<P, A[number]>>]) => Promise<Awaited<R>>
      : never
    : never

type Positional<P, A extends readonly (keyof P)[]> = { [I in keyof A]: P[A[I]] }
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- asks whether all properties are optional
type Others<T> = keyof T extends never ? [] : {} extends T ? [options?: T] : [options: T]

/** What a method was called with, as the parameters of its operation. */
export function paramsOf(
  { args = [] }: { readonly args?: readonly PropertyKey[] },
  given: readonly unknown[],
): object {
  const named = Object.fromEntries(args.map((name, at) => [name, given[at]]))
  return { ...(given[args.length] as object | undefined), ...named }
}

/** Parameters as a wire carries them: what only this process understands, such as a signal, stays here. */
export function toWire({ takes }: { readonly takes: z.ZodType }, params: object): object {
  const shape = takes instanceof z.ZodObject ? takes.shape : params
  const known = Object.entries(params).filter(([name]) => Object.hasOwn(shape, name))
  return z.encode(takes as z.ZodType<object, object>, Object.fromEntries(known))
}
