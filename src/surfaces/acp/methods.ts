/** Everything that a client may ask, one row each: what it must say, and who answers. */
import { z } from 'zod'
import { RpcFailure, rpcCodes } from '../../lib/rpc-lines.ts'
import { authenticate, initialize } from './introduce.ts'
import type { Client } from './client.ts'
import { AUTH_REQUIRED } from './failures.ts'
import { forkSession, redo, rewind, search } from './history-methods.ts'
import * as sessions from './session-methods.ts'
import { cancelPrompt, prompt } from './prompt-method.ts'

type Method = {
  readonly params: z.ZodType
  readonly run: (client: Client, params: never, cancelled: AbortSignal) => unknown
}

/** The handler's parameters are what the schema lets through. */
const method = <S extends z.ZodType>(
  params: S,
  run: (client: Client, params: z.output<S>, cancelled: AbortSignal) => unknown,
): Method => ({ params, run })

const meta = z.looseObject({}).nullish()
const session = { sessionId: z.string(), _meta: meta }
const place = { cwd: z.string(), mcpServers: z.array(z.unknown()).optional() }
const one = z.object(session)

const methods: Readonly<Record<string, Method>> = {
  initialize: method(
    z.object({
      protocolVersion: z.number().int().min(0),
      clientCapabilities: z.unknown().optional(),
      _meta: meta,
    }),
    initialize,
  ),
  authenticate: method(z.object({ methodId: z.string(), _meta: meta }), authenticate),
  logout: method(z.object({}), () => ({})),

  'session/new': method(z.object({ ...place, _meta: meta }), sessions.newSession),
  'session/load': method(z.object({ ...session, ...place }), sessions.load),
  'session/resume': method(z.object({ ...session, ...place }), sessions.resume),
  'session/fork': method(z.object({ ...session, ...place }), forkSession),
  'session/list': method(
    z.object({ cwd: z.string().nullish(), cursor: z.string().nullish() }),
    sessions.list,
  ),
  'session/close': method(one, sessions.close),
  'session/delete': method(one, sessions.remove),
  'session/status': method(one, sessions.status),
  'session/set_title': method(z.object({ ...session, title: z.string() }), sessions.setTitle),
  'session/set_mode': method(z.object({ ...session, modeId: z.string() }), sessions.setSessionMode),
  'session/set_config_option': method(
    z.object({
      ...session,
      configId: z.string(),
      value: z.union([z.string(), z.boolean()]),
    }),
    sessions.setConfigOption,
  ),
  'session/prompt': method(
    z.object({ ...session, prompt: z.array(z.record(z.string(), z.unknown())) }),
    prompt,
  ),

  '_reprise/session/rewind': method(
    z.object({ ...session, messageId: z.string(), files: z.boolean().optional() }),
    rewind,
  ),
  '_reprise/session/redo': method(one, redo),
  '_reprise/session/search': method(
    z.object({
      query: z.string().max(10_000),
      limit: z.number().int().min(1).max(500).optional(),
      _meta: meta,
    }),
    search,
  ),
}

/** Asked before anybody is trusted. */
const OPEN: ReadonlySet<string> = new Set(['initialize', 'authenticate'])

export async function callMethod(
  client: Client,
  name: string,
  given: unknown,
  cancelled: AbortSignal,
): Promise<unknown> {
  const known = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (known === undefined) {
    throw new RpcFailure(rpcCodes.unknownMethod, `"${name.slice(0, 100)}" is not a method here.`)
  }
  if (name !== 'initialize' && client.abilities === undefined)
    throw new RpcFailure(rpcCodes.invalidRequest, 'The connection begins with "initialize".')
  if (!client.isTrusted && !OPEN.has(name)) {
    throw new RpcFailure(AUTH_REQUIRED, 'The token of this server must be shown first.')
  }
  const parsed = known.params.safeParse(given ?? {})
  if (!parsed.success) throw badParams(parsed.error)
  return known.run(client, parsed.data as never, cancelled)
}

function badParams({ issues }: z.ZodError): RpcFailure {
  const [first] = issues
  const field = first?.path.join('.') || 'params'
  return new RpcFailure(rpcCodes.invalidParams, `${field}: ${first?.message ?? 'not valid'}`, {
    field,
  })
}

/** Notifications get no answer; one that is not known is ignored. */
export function hearNotification(client: Client, name: string, given: unknown): void {
  if (name !== 'session/cancel' || !client.isTrusted) return
  const parsed = one.safeParse(given)
  if (parsed.success) cancelPrompt(client, parsed.data.sessionId)
}
