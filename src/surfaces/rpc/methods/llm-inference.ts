/** A client that makes the requests to the model itself: it says so, and sends back what came. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import { createClientRequests, type ClientRequests } from '../client-requests.ts'
import type { Client } from '../client.ts'
import { method, type Methods } from '../method.ts'

export const llmInferenceMethods: Methods = {
  'llmInference.setProvider': method(
    'From now on the client makes the requests to the models of its sessions.',
    ({ server, client }) => {
      client.requests ??= createClientRequests(client.peer)
      for (const session of server.open()) if (session.members.of(client)) session.agent.renew()
      return { success: true }
    },
  ),
  'llmInference.httpResponseStart': method(
    'How an answer begins.',
    {
      requestId: z.string(),
      status: z.int().min(200).max(599),
      statusText: z.string().optional(),
      headers: z.record(z.string(), z.array(z.string()).optional()),
    },
    ({ client }, { requestId, status, headers }) => ({
      accepted: requestsOf(client).started(requestId, { status, headers }),
    }),
  ),
  'llmInference.httpResponseChunk': method(
    'A piece of it, its end, or why there is none.',
    {
      requestId: z.string(),
      data: z.string(),
      binary: z.boolean().optional(),
      end: z.boolean().optional(),
      error: z.looseObject({ message: z.string() }).optional(),
    },
    ({ client }, { requestId, data, binary = false, end = false, error }) => ({
      accepted: requestsOf(client).came(requestId, {
        data,
        binary,
        end,
        ...defined({ error: error?.message }),
      }),
    }),
  ),
}

function requestsOf({ requests }: Client): ClientRequests {
  if (requests !== undefined) return requests
  throw new EngineError(
    'invalid',
    'This client makes no requests to models. Call llmInference.setProvider first.',
  )
}
