/** How a connection begins: versions, what is offered here, and the token where one is wanted. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { AuthMethod, InitializeResponse } from '@agentclientprotocol/sdk'
import { deferred } from '../../lib/deferred.ts'
import { fieldsOf, isFields, textIn, type Fields } from '../../lib/fields.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { NEVER, lineFor } from './agent-line.ts'
import { abilitiesIn, type Client } from './client.ts'

type Meta = Readonly<Record<string, unknown>> | null | undefined

type Introduction = {
  readonly protocolVersion: number
  readonly clientCapabilities?: unknown
  /** Sent in the second version, which has no other name for itself. */
  readonly info?: unknown
  readonly capabilities?: unknown
  readonly _meta?: Meta
}

export async function initialize(client: Client, given: Introduction) {
  const isSecond = given.protocolVersion >= 2 && isFields(given.info)
  client.version = isSecond ? 2 : 1
  client.abilities = isSecond
    ? { ...abilitiesIn(given.capabilities), notices: true, compaction: true }
    : abilitiesIn(given.clientCapabilities)
  show(client, tokenIn(given._meta))
  client.agent = client.isTrusted ? await introduced(client) : undefined
  return isSecond ? offeredInSecond(client) : offeredInFirst(client)
}

/** What the agent behind us says of itself. One that does not come up in time is met with the first session. */
async function introduced({ parts: { engine, cwd } }: Client): Promise<Client['agent']> {
  const { promise: late, resolve } = deferred<void>()
  const timer = setTimeout(resolve, AGENT_WAIT_MS)
  const found = engine.introduceAgent(cwd).catch(() => undefined) // as said above
  const agent = await Promise.race([found, late])
  clearTimeout(timer)
  return agent ?? undefined
}

const AGENT_WAIT_MS = 20_000

const aboutUs = ({ parts }: Client) => ({
  name: 'reprise',
  title: 'Reprise',
  version: parts.version,
})

const offeredInFirst = (client: Client): InitializeResponse => ({
  protocolVersion: 1,
  agentInfo: aboutUs(client),
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: takesAudio(client), embeddedContext: true },
    mcpCapabilities: { http: takesServers(client, 'http'), sse: takesServers(client, 'sse') },
    sessionCapabilities: {
      ...theirs(client, 'sessionCapabilities', GIVEN_ON),
      list: {},
      resume: {},
      close: {},
      ...inBoth,
    },
    ...only(client.agent?.capabilities ?? {}, ['auth', 'providers']),
    _meta: { ...fieldsOf(client.agent?.capabilities['_meta']), ...ownMethods(client) },
  },
  authMethods: [
    ...tokenMethod(client).map((method) => ({ id: 'token', ...method })),
    ...((client.agent?.authMethods ?? []) as unknown as readonly AuthMethod[]),
  ],
})

/** Fields with which a session is opened go to the agent as they are; what it tells of its own agents comes from it. */
const GIVEN_ON = ['additionalDirectories', 'systemPrompt', 'subagents']

const theirs = ({ agent }: Client, group: string, keys: readonly string[]): Fields =>
  only(fieldsOf(agent?.capabilities[group]), keys)

const only = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => keys.includes(key) && isFields(value)),
  )

const takesAudio = ({ agent }: Client): boolean =>
  fieldsOf(agent?.capabilities['promptCapabilities'])['audio'] === true

const takesServers = ({ agent }: Client, kind: 'http' | 'sse'): boolean =>
  fieldsOf(agent?.capabilities['mcpCapabilities'])[kind] === true

const offeredInSecond = (client: Client) => ({
  protocolVersion: 2,
  info: aboutUs(client),
  capabilities: {
    session: {
      prompt: { image: {}, ...(takesAudio(client) && { audio: {} }), embeddedContext: {} },
      ...inBoth,
    },
    _meta: ownMethods(client),
  },
  authMethods: tokenMethod(client).map((method) => ({
    type: 'agent',
    methodId: 'token',
    ...method,
  })),
})

const inBoth = {
  delete: {},
  fork: { _meta: { reprise: { atMessageId: true, replay: true } } },
  archive: {},
  status: {},
  title: {},
}

const ownMethods = ({ parts: { services } }: Client) => ({
  reprise: {
    rewind: '_reprise/session/rewind',
    redo: '_reprise/session/redo',
    ...(services !== undefined && { search: '_reprise/session/search' }),
    rewound: '_reprise/session/rewound',
  },
})

const tokenMethod = ({ parts: { token }, isTrusted }: Client) =>
  token === undefined || isTrusted
    ? []
    : [
        {
          name: 'Token of the server',
          description: 'Shown as _meta.reprise.token, here or with "initialize".',
        },
      ]

/** With the token of this server, or in one of the ways of the agent behind it. */
export async function authenticate(
  client: Client,
  given: Fields & { readonly methodId: string; readonly _meta?: Meta },
) {
  const isTheirs = client.agent?.authMethods.some(({ id }) => id === given.methodId)
  if (client.isTrusted && isTheirs === true) {
    const first = client.agent?.line
    const line = first?.isClosed === false ? first : await lineFor(client, {}, NEVER)
    return (await line?.ask('authenticate', given)) ?? {}
  }
  if (!client.isTrusted && given.methodId === 'token') show(client, tokenIn(given._meta))
  if (client.isTrusted) return {}
  throw new RpcFailure(rpcCodes.invalidParams, 'The token is missing or wrong.')
}

/** Out of the agent's account, where it has one. */
export async function logout(client: Client, given: Fields) {
  if (!isFields(fieldsOf(client.agent?.capabilities['auth'])['logout'])) return {}
  const first = client.agent?.line
  const line = first?.isClosed === false ? first : await lineFor(client, {}, NEVER)
  return (await line?.ask('logout', given)) ?? {}
}

function tokenIn(meta: Meta): string | undefined {
  return textIn(fieldsOf(meta?.['reprise']), 'token')
}

/** Compared in a time that tells nothing. */
function show(client: Client, shown: string | undefined): void {
  const { token } = client.parts
  if (token === undefined || shown === undefined) return
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(shown), digest(token))) client.isTrusted = true
}
