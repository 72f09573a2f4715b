/** One way to open a session, whatever kind of opening it is. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import type { Project } from '../../../engine/home/project.ts'
import type { SessionId } from '../../../format/ids.ts'
import { method, sessionId, type Call, type Methods } from '../method.ts'
import { sessionConfig } from '../session-config.ts'
import { createSession, resumeSession } from './session.ts'
import { noMissionControl } from './remote.ts'
import { context } from './sessions.ts'

const options = z.looseObject({ ...sessionConfig, sessionId: sessionId.optional() }).optional()

export const sessionsOpenMethods: Methods = {
  'sessions.open': method(
    'Creates, resumes or joins a session.',
    {
      kind: z.enum(['create', 'resume', 'resumeLast', 'attach', 'remote', 'cloud', 'handoff']),
      sessionId: sessionId.optional(),
      context: context.optional(),
      options,
    },
    async (call, { kind, sessionId: id, context: where, options: given = {} }) => {
      const { sessionId: wanted, ...config } = given
      if (kind === 'create') {
        const made = wanted ?? (crypto.randomUUID() as SessionId)
        await createSession(call.server, call.client, made, config)
        return { status: 'created', sessionId: made }
      }
      if (kind === 'remote' || kind === 'cloud' || kind === 'handoff') throw noMissionControl()
      const target = kind === 'resumeLast' ? await lastFor(call, where as Project | undefined) : id
      if (target === undefined) {
        if (kind === 'resumeLast') return { status: 'not_found' }
        throw new EngineError('invalid', 'sessionId is missing. Nothing was changed.')
      }
      return resumeOr404(call, target, config)
    },
  ),
}

async function lastFor({ server }: Call, where: Project | undefined) {
  const { catalogue, cwd } = server.parts
  return catalogue.latestFor(where ?? (await catalogue.project(cwd)))
}

async function resumeOr404(
  { server, client }: Call,
  id: SessionId,
  config: Parameters<typeof resumeSession>[3],
) {
  try {
    await resumeSession(server, client, id, config)
    return { status: 'resumed', sessionId: id }
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_found') return { status: 'not_found' }
    throw error
  }
}
