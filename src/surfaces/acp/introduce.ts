/** How a connection begins: versions, what is offered here, and the token where one is wanted. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { RpcFailure, isFields, rpcCodes } from '../../lib/rpc-lines.ts'
import type { Client } from './client.ts'
import { abilitiesIn } from './client.ts'

const VERSION = 1

type Meta = Readonly<Record<string, unknown>> | null | undefined

export function initialize(
  client: Client,
  given: { readonly clientCapabilities?: unknown; readonly _meta?: Meta },
) {
  const { version, token, store } = client.parts
  client.abilities = abilitiesIn(given.clientCapabilities)
  show(client, tokenIn(given._meta))
  return {
    protocolVersion: VERSION,
    agentInfo: { name: 'reprise', title: 'Reprise', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: { _meta: { reprise: { atMessageId: true, replay: true } } },
        status: {},
        title: {},
      },
      _meta: {
        reprise: {
          rewind: '_reprise/session/rewind',
          redo: '_reprise/session/redo',
          ...(store !== undefined && { search: '_reprise/session/search' }),
          rewound: '_reprise/session/rewound',
        },
      },
    },
    authMethods:
      token === undefined || client.isTrusted
        ? []
        : [
            {
              id: 'token',
              name: 'Token of the server',
              description: 'Shown as _meta.reprise.token, here or with "initialize".',
            },
          ],
  }
}

export function authenticate(
  client: Client,
  given: { readonly methodId: string; readonly _meta?: Meta },
) {
  if (!client.isTrusted && given.methodId === 'token') show(client, tokenIn(given._meta))
  if (client.isTrusted) return {}
  throw new RpcFailure(rpcCodes.invalidParams, 'The token is missing or wrong.')
}

function tokenIn(meta: Meta): string | undefined {
  const own = isFields(meta) && isFields(meta['reprise']) ? meta['reprise'] : {}
  return typeof own['token'] === 'string' ? own['token'] : undefined
}

/** Compared in a time that tells nothing. */
function show(client: Client, shown: string | undefined): void {
  const { token } = client.parts
  if (token === undefined || shown === undefined) return
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(shown), digest(token))) client.isTrusted = true
}
