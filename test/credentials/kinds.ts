/** The kinds of credentials that a client can bring with a provider, by the real SDK. */
import {
  CopilotRequestHandler,
  approveAll,
  type MessageOptions,
  type ProviderConfig,
  type SessionConfig,
} from '@github/copilot-sdk'
import { word } from './recorder.ts'

export type Kind = {
  readonly provider: (owner: string) => Partial<ProviderConfig>
  /** It is put on by the client that carries the requests. */
  readonly isOfClient?: true
  /** Said with each message. */
  readonly message?: (owner: string) => Partial<MessageOptions>
}

/** A client that makes the requests itself, and puts its word on them on the way out. */
export class Carrier extends CopilotRequestHandler {
  readonly owner: string
  /** What it was shown. */
  readonly seen: string[] = []
  constructor(owner: string) {
    super()
    this.owner = owner
  }
  protected override async sendRequest(
    ...[request]: Parameters<CopilotRequestHandler['sendRequest']>
  ) {
    const headers = new Headers(request.headers)
    this.seen.push(JSON.stringify([request.url, ...headers]))
    headers.set('x-carrier', word(this.owner, 'handler'))
    const body = await request.text()
    return fetch(request.url, { method: request.method, headers, body, redirect: 'manual' })
  }
}

const none = () => ({})

export const kinds: Readonly<Record<string, Kind>> = {
  token: { provider: (owner) => ({ bearerTokenProvider: async () => word(owner, 'token') }) },
  key: { provider: (owner) => ({ apiKey: word(owner, 'key') }) },
  anthropic: { provider: (owner) => ({ type: 'anthropic', apiKey: word(owner, 'anthropic') }) },
  azure: { provider: (owner) => ({ type: 'azure', apiKey: word(owner, 'azure') }) },
  bearer: { provider: (owner) => ({ bearerToken: word(owner, 'bearer') }) },
  header: { provider: (owner) => ({ headers: { 'X-Secret': word(owner, 'header') } }) },
  message: {
    provider: none,
    message: (owner) => ({ requestHeaders: { 'X-Turn': word(owner, 'message') } }),
  },
  handler: { provider: none, isOfClient: true },
}

export const base: SessionConfig = { onPermissionRequest: approveAll }

export const providerOf = (kind: Kind, owner: string, baseUrl: string): ProviderConfig => ({
  type: 'openai',
  baseUrl,
  ...kind.provider(owner),
})
