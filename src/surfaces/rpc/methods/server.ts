/** The server itself: who is there, what it is, what it can use, and its end. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { method, type Methods } from '../method.ts'

const PROTOCOL_VERSION = 3

export const serverMethods: Methods = {
  connect: method(
    'Shows the token, and tells which protocol is spoken.',
    {
      token: z.string().optional().describe('Needed over TCP.'),
      supportedTaskKinds: z.array(z.string()).optional(),
    },
    ({ server }) => ({
      ok: true,
      protocolVersion: PROTOCOL_VERSION,
      version: server.parts.version,
    }),
  ),
  ping: method('Answers.', { message: z.string().optional() }, (_call, { message }) => ({
    message: message === undefined ? 'pong' : `pong: ${message}`,
    timestamp: new Date().toISOString(),
    protocolVersion: PROTOCOL_VERSION,
  })),
  'status.get': method('The version of the server and of the protocol.', ({ server }) => ({
    version: server.parts.version,
    protocolVersion: PROTOCOL_VERSION,
  })),
  'auth.getStatus': method('Whether a user is signed in. None needs to be.', () => ({
    isAuthenticated: false,
    statusMessage: 'Reprise needs no sign-in. Models are reached with the keys that it is given.',
  })),
  'models.list': method('Models that are configured for every session.', async ({ server }) => ({
    models: (await server.parts.models()).map(({ id, contextWindow = 0 }) => ({
      id,
      name: id,
      capabilities: {
        supports: { vision: false, reasoningEffort: false },
        limits: { max_context_window_tokens: contextWindow },
      },
    })),
  })),
  'sessionFs.setProvider': method(
    'From now on the client owns the files of the sessions that it opens.',
    {
      initialCwd: z.string().min(1),
      sessionStatePath: z.string().min(1),
      conventions: z.enum(['windows', 'posix']),
      capabilities: z
        .looseObject({ binary: z.boolean().optional(), sqlite: z.boolean().optional() })
        .optional(),
    },
    ({ server, client }, { initialCwd, sessionStatePath, conventions, capabilities }) => {
      if (server.open().length > 0) {
        throw new EngineError(
          'conflict',
          'Cannot set session filesystem provider while sessions are active. Say where files live before the first session. Nothing was changed.',
        )
      }
      const { binary = false, sqlite = false } = capabilities ?? {}
      const offered = { binary, sqlite }
      client.files = { initialCwd, sessionStatePath, conventions, capabilities: offered }
      return { success: true }
    },
  ),
  'runtime.shutdown': method(
    'Closes every session, keeps what was queued, and ends the server.',
    ({ server }) => server.stop(),
  ),
}
