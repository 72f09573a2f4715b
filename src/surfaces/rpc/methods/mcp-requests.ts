/** What tool servers ask for, and what people do about it: tokens, headers, answers of the model. */
import { z } from 'zod'
import type { SampleRequest } from '../../../engine/agent.ts'
import { defined } from '../../../lib/defined.ts'
import { errorText } from '../../../lib/error-text.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { serversOf, told } from './mcp.ts'

const one = { serverName: z.string().min(1) }
const request = { requestId: z.string() }
const text = z.string().optional()
const said = z.looseObject({ type: z.string(), text })
const sampling = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.enum(['user', 'assistant']), content: z.union([said, z.array(said)]) }),
  ),
  systemPrompt: text,
  maxTokens: z.int().positive().optional(),
})

export const mcpRequestMethods: Methods = {
  'session.mcp.executeSampling': sessionMethod(
    'Has the model of the session answer what a tool server asked, beside the conversation.',
    { ...request, ...one, mcpRequestId: z.unknown().optional(), request: sampling },
    sampled,
  ),
  'session.mcp.cancelSamplingExecution': sessionMethod(
    'Stops that.',
    request,
    ({ samplings }, { requestId }) => {
      const running = samplings.get(requestId)
      running?.abort()
      return { cancelled: running !== undefined }
    },
  ),
  'session.mcp.moveLoadingToBackground': sessionMethod(
    'Lets a turn that waits for tool servers go on without those that are not there yet; the next one has them.',
    ({ servers }) => ({ movedToBackground: servers.goOn() }),
  ),
  'session.mcp.oauth.login': sessionMethod(
    'Signs in with a tool server: the address that a person opens, or none when it needs no person.',
    {
      ...one,
      clientName: text,
      clientId: text,
      clientSecret: text,
      callbackSuccessMessage: text,
      grantType: z.enum(['authorization_code', 'client_credentials']).optional(),
    },
    async (session, { serverName, clientName, clientId, clientSecret, grantType, ...more }) => {
      const wish = { clientName, clientId, clientSecret, grantType }
      const successMessage = more.callbackSuccessMessage
      return told(session, ({ login }) => login(serverName, defined({ ...wish, successMessage })))
    },
  ),
  'session.mcp.oauth.probe': sessionMethod(
    'Whether a tool server wants a token, without connecting to it.',
    one,
    async (session, { serverName }) => told(session, ({ probe }) => probe(serverName)),
  ),
  'session.mcp.oauth.handlePendingRequest': sessionMethod(
    'Gives a token for a tool server, or none. The first answer counts.',
    {
      ...request,
      result: z.discriminatedUnion('kind', [
        z.looseObject({ kind: z.literal('token'), accessToken: z.string().min(1) }),
        z.looseObject({ kind: z.literal('cancelled') }),
      ]),
    },
    ({ serverRequests }, { requestId, result }, { client }) => {
      const token = result.kind === 'token' ? result.accessToken : undefined
      return { success: serverRequests.giveToken(client, requestId, token) }
    },
  ),
  'session.mcp.oauth.respond': sessionMethod(
    'Gives up a request for a token; the client signs in another way.',
    request,
    ({ serverRequests }, { requestId }, { client }) => ({
      success: serverRequests.giveToken(client, requestId, undefined),
    }),
  ),
  'session.mcp.oauth.authenticationStateChanged': sessionMethod(
    'Connects again to tool servers that wanted a token: this one, or all.',
    { serverName: text },
    async (session, { serverName }) => {
      const servers = await serversOf(session)
      const refused = servers.list().filter(({ status }) => status === 'needs-auth')
      const meant = refused.filter(({ name }) => serverName === undefined || name === serverName)
      // One that still does not come up is told of by its status.
      await Promise.allSettled(meant.map(({ name }) => servers.start(name)))
    },
  ),
  'session.mcp.headers.handlePendingHeadersRefreshRequest': sessionMethod(
    'Gives headers that a tool server is asked with for a while, or none. The first answer counts.',
    {
      ...request,
      result: z.discriminatedUnion('kind', [
        z.looseObject({
          kind: z.literal('headers'),
          headers: z.record(z.string(), z.string()),
          ttlMs: z.number().positive().optional(),
        }),
        z.looseObject({ kind: z.literal('none') }),
      ]),
    },
    ({ serverRequests }, { requestId, result }, { client }) => {
      const given =
        result.kind === 'headers'
          ? { headers: result.headers, ...defined({ ttlMs: result.ttlMs }) }
          : undefined
      return { success: serverRequests.giveHeaders(client, requestId, given) }
    },
  ),
}

async function sampled(
  session: HostedSession,
  { requestId, request: asked }: { requestId: string; request: z.output<typeof sampling> },
) {
  await session.agent.ready()
  const { sample } = session.agent.agent
  if (sample === undefined)
    return { action: 'failure', error: 'The agent of this session has no model that can be asked.' }
  const stop = new AbortController()
  session.samplings.set(requestId, stop)
  try {
    const { model, text: answer, isWhole } = await sample(requestOf(asked), stop.signal)
    const stopReason = isWhole ? 'endTurn' : 'maxTokens'
    const content = { type: 'text', text: answer }
    return { action: 'success', result: { model, stopReason, role: 'assistant', content } }
  } catch (error) {
    if (stop.signal.aborted) return { action: 'cancelled' }
    return { action: 'failure', error: errorText(error) }
  } finally {
    session.samplings.delete(requestId)
  }
}

function requestOf(asked: z.output<typeof sampling>): SampleRequest {
  const { messages, systemPrompt: system, maxTokens } = asked
  return {
    messages: messages.map(({ role, content }) => ({
      role,
      text: [content]
        .flat()
        .map((part) => part.text ?? '')
        .join('\n'),
    })),
    ...defined({ system, maxTokens }),
  }
}
