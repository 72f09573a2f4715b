/** How a connection begins: versions, what is offered here, and the token where one is wanted. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { InitializeResponse } from '@agentclientprotocol/sdk'
import { fieldsOf, isFields, textIn } from '../../lib/fields.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
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

export function initialize(client: Client, given: Introduction) {
  const isSecond = given.protocolVersion >= 2 && isFields(given.info)
  client.version = isSecond ? 2 : 1
  client.abilities = isSecond
    ? { ...abilitiesIn(given.capabilities), notices: true, compaction: true }
    : abilitiesIn(given.clientCapabilities)
  show(client, tokenIn(given._meta))
  return isSecond ? offeredInSecond(client) : offeredInFirst(client)
}

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
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: { list: {}, resume: {}, close: {}, ...inBoth },
    _meta: ownMethods(client),
  },
  authMethods: tokenMethod(client).map((method) => ({ id: 'token', ...method })),
})

const offeredInSecond = (client: Client) => ({
  protocolVersion: 2,
  info: aboutUs(client),
  capabilities: {
    session: { prompt: { image: {}, audio: {}, embeddedContext: {} }, ...inBoth },
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

export function authenticate(
  client: Client,
  given: { readonly methodId: string; readonly _meta?: Meta },
) {
  if (!client.isTrusted && given.methodId === 'token') show(client, tokenIn(given._meta))
  if (client.isTrusted) return {}
  throw new RpcFailure(rpcCodes.invalidParams, 'The token is missing or wrong.')
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
