/** Everything that a client may ask, one row each: what it must say, and who answers. */
import { z } from 'zod'
import { errorText } from '../../lib/error-text.ts'
import { fieldsOf } from '../../lib/fields.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { NEVER, lineFor } from './agent-line.ts'
import { authenticate, initialize, logout } from './introduce.ts'
import type { Client } from './client.ts'
import { AUTH_REQUIRED } from './failures.ts'
import { forkSession, redo, rewind, search } from './history-methods.ts'
import * as sessions from './session-methods.ts'
import { begin, cancelPrompt, prompt } from './prompt-method.ts'
import { resultInSecond } from './second-version.ts'

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
const one = z.looseObject(session)

const methods: Readonly<Record<string, Method>> = {
  initialize: method(
    z.object({
      protocolVersion: z.number().int().min(0),
      clientCapabilities: z.unknown().optional(),
      info: z.unknown().optional(),
      capabilities: z.unknown().optional(),
      _meta: meta,
    }),
    initialize,
  ),
  authenticate: method(z.looseObject({ methodId: z.string(), _meta: meta }), authenticate),
  logout: method(z.looseObject({}), logout),

  'session/new': method(z.looseObject({ ...place, _meta: meta }), sessions.newSession),
  'session/load': method(z.looseObject({ ...session, ...place }), sessions.load),
  'session/resume': method(z.looseObject({ ...session, ...place }), sessions.resume),
  'session/fork': method(z.looseObject({ ...session, ...place }), forkSession),
  'session/list': method(
    z.object({
      cwd: z.string().nullish(),
      cursor: z.string().nullish(),
      archived: z.enum(['exclude', 'include', 'only']).nullish(),
    }),
    sessions.list,
  ),
  'session/close': method(one, sessions.close),
  'session/delete': method(one, sessions.remove),
  'session/archive': method(one, sessions.archive),
  'session/unarchive': method(one, sessions.unarchive),
  'session/status': method(one, sessions.status),
  'session/set_title': method(z.object({ ...session, title: z.string() }), sessions.setTitle),
  'session/set_mode': method(z.object({ ...session, modeId: z.string() }), sessions.setSessionMode),
  'session/set_model': method(z.object({ ...session, modelId: z.string() }), sessions.setModel),
  'session/set_config_option': method(
    z.object({
      ...session,
      configId: z.string(),
      value: z.union([z.string(), z.boolean()]),
    }),
    sessions.setConfigOption,
  ),
  'session/prompt': method(
    z.looseObject({ ...session, prompt: z.array(z.record(z.string(), z.unknown())) }),
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

/** Other names, other answers. */
const inSecond: Readonly<Record<string, Method | undefined>> = {
  authenticate: undefined,
  logout: undefined,
  'auth/login': methods['authenticate'],
  'auth/logout': methods['logout'],
  'session/load': undefined,
  'session/set_mode': undefined,
  'session/prompt': method(
    z.looseObject({ ...session, prompt: z.array(z.record(z.string(), z.unknown())).min(1) }),
    begin,
  ),
}

function methodOf({ version }: Client, name: string): Method | undefined {
  if (version === 2 && Object.hasOwn(inSecond, name)) return inSecond[name]
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** The methods that a client may call before it is trusted. */
const OPEN: ReadonlySet<string> = new Set(['initialize', 'authenticate', 'auth/login'])

export async function callMethod(
  client: Client,
  name: string,
  given: unknown,
  cancelled: AbortSignal,
): Promise<unknown> {
  const known = methodOf(client, name)
  if (known === undefined && (client.abilities === undefined || !client.isTrusted))
    throw unknownMethod(name)
  if (name !== 'initialize' && client.abilities === undefined)
    throw new RpcFailure(rpcCodes.invalidRequest, 'The connection begins with "initialize".')
  if (!client.isTrusted && !OPEN.has(name)) {
    throw new RpcFailure(AUTH_REQUIRED, 'The token of this server must be shown first.')
  }
  if (known === undefined) return passOn(client, name, given, cancelled)
  const parsed = known.params.safeParse(given ?? {})
  if (!parsed.success) throw badParams(parsed.error)
  const result = await known.run(client, parsed.data as never, cancelled)
  return client.version === 1 ? result : resultInSecond(result)
}

/** To the agent behind the session: it may know what is not known here. */
async function passOn(
  client: Client,
  name: string,
  given: unknown,
  cancelled: AbortSignal,
): Promise<unknown> {
  const params = fieldsOf(given)
  try {
    const line = await lineFor(client, params, cancelled)
    if (line === undefined) throw unknownMethod(name)
    return await line.ask(name, params)
  } catch (error) {
    const { code, data } = error as { readonly code?: unknown; readonly data?: unknown }
    const message = errorText(error)
    throw new RpcFailure(typeof code === 'number' ? code : rpcCodes.internal, message, data)
  }
}

const unknownMethod = (name: string) =>
  new RpcFailure(rpcCodes.unknownMethod, `"${name.slice(0, 100)}" is not a method here.`)

function badParams({ issues }: z.ZodError): RpcFailure {
  const [first] = issues
  const field = first?.path.join('.') || 'params'
  return new RpcFailure(rpcCodes.invalidParams, `${field}: ${first?.message ?? 'not valid'}`, {
    field,
  })
}

/** Notifications get no answer; one that is not known is for the agent, or for nobody. */
export function hearNotification(client: Client, name: string, given: unknown): void {
  if (!client.isTrusted || client.abilities === undefined) return
  if (name !== 'session/cancel') {
    const params = fieldsOf(given)
    lineFor(client, params, NEVER).then(
      (line) => line?.tell(name, params),
      () => {}, // an agent that does not come up says so to the request that waits for an answer
    )
    return
  }
  const parsed = one.safeParse(given)
  if (parsed.success) cancelPrompt(client, parsed.data.sessionId)
}
