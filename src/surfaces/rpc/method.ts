/** A method of the protocol: what it takes, what it is for, and what it does. One table of them is the protocol. */
import { z } from 'zod'
import { whereFound } from './failure.ts'
import type { OperationName, Operations } from '../../engine/operations/table.ts'
import { isSessionId, type SessionId } from '../../format/ids.ts'
import type { Client } from './client.ts'
import { tellUnwritten } from './follow-session.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { HostedSession } from './hosted-session.ts'
import type { Server } from './server.ts'

export type Call = {
  readonly server: Server
  readonly client: Client
  /** Fires when the client no longer waits for the answer. */
  readonly signal: AbortSignal
}

export type Method = {
  readonly summary: string
  readonly params: z.ZodType
  /** It passes this operation on, and does nothing else. */
  readonly operation?: OperationName
  run(call: Call, method: string, params: unknown): Promise<unknown>
}

export type Methods = Readonly<Record<string, Method>>

type Shape = z.ZodRawShape
type Given<S extends Shape> = z.output<z.ZodObject<S>>

export const sessionId = z
  .string()
  .refine(
    isSessionId,
    'expected a session id: letters, digits, dots, dashes and underscores, 237 at most',
  )
  .transform((value) => value as SessionId)

type Handle<S extends Shape, T> = (on: T, params: Given<S>, call: Call) => unknown
/** What a method takes is left out where it takes nothing. */
type Rest<S extends Shape, T> = [takes: S, handle: Handle<S, T>] | [handle: Handle<S, T>]

const restOf = <S extends Shape, T>(rest: Rest<S, T>): readonly [Shape, Handle<S, T>] =>
  rest.length === 1 ? [{}, rest[0]] : rest

/** Fields that are not named are let through and left alone. Nothing is answered as null. */
export function method<S extends Shape>(summary: string, ...rest: Rest<S, Call>): Method {
  const [shape, handle] = restOf(rest)
  const params = z.looseObject(shape)
  return {
    summary,
    params,
    run: async (call, name, raw) => handle(call, parsed(name, params, raw) as Given<S>, call),
  }
}

/** The same for what is done with one session, which must be open. */
export function sessionMethod<S extends Shape>(
  summary: string,
  ...rest: Rest<S, HostedSession>
): Method {
  const [shape, handle] = restOf(rest)
  const params = z.looseObject({ sessionId, ...shape })
  return {
    summary,
    params,
    run: async (call, name, raw) => {
      const given = parsed(name, params, raw)
      const session = await call.server.require(given['sessionId'] as SessionId)
      try {
        return await handle(session, given as Given<S>, call)
      } finally {
        // Before the answer: who has changed something is told of it like everybody else.
        tellUnwritten(session)
      }
    },
  }
}

/** A name of Copilot for an operation of ours: what it takes and answers is translated, the rest is the operation's. */
export function passOn<N extends OperationName, S extends Shape = Record<never, never>>(
  operation: N,
  { summary, takes, needsAgent = false, to, from, answer, missing }: Translation<MethodOf<N>, S>,
): Method {
  const [group, member] = operation.split('.')
  const row = sessionMethod(summary, takes ?? ({} as S), async ({ ops, agent }, params) => {
    if (needsAgent) await agent.ready()
    const bound = ops[group as 'tasks']
    const run = (member === undefined ? bound : bound[member as 'list']) as (
      ...args: unknown[]
    ) => Promise<never>
    const work = run(...(to?.(params) ?? [])).then((result) => from?.(result, params) ?? answer)
    return missing === undefined ? work : whereFound(work, missing)
  })
  return { ...row, operation }
}

type MethodOf<N extends OperationName> = N extends `${infer G}.${infer M}`
  ? Member<Member<Operations, G>, M>
  : Member<Operations, N>
type Member<T, K> = K extends keyof T ? T[K] : never

type Translation<F, S extends Shape> = F extends (...args: infer A) => Promise<infer R>
  ? {
      readonly summary: string
      readonly takes?: S
      /** An agent that is not up yet comes up first. */
      readonly needsAgent?: boolean
      /** What the operation is called with; nothing without it. */
      readonly to?: (params: Given<S>) => A
      /** The answer, made of the result; else always the same one, or null. */
      readonly from?: (result: R, params: Given<S>) => unknown
      readonly answer?: object
      /** The answer where the operation does not find what it is about. */
      readonly missing?: object
    }
  : never

function parsed(name: string, schema: z.ZodType, raw: unknown): Readonly<Record<string, unknown>> {
  const result = schema.safeParse(raw ?? {})
  if (result.success) return result.data as Readonly<Record<string, unknown>>
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new RpcFailure(
    rpcCodes.invalidParams,
    `Invalid parameters of ${name}: ${field === '' ? '' : `${field}: `}${issue?.message ?? 'not as expected'}`,
    { field },
  )
}
