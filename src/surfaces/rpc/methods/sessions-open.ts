/** One way to open a session, whatever kind of opening it is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isFound, whereFound } from '../failure.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { Project } from '../../../engine/sessions/project.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { method, sessionId, type Call, type Methods } from '../method.ts'
import { sessionConfig } from '../session-config.ts'
import { createSession, resumeSession } from './session.ts'
import { joinFar, required } from './remote.ts'
import { context } from './sessions.ts'

const options = z.looseObject({ ...sessionConfig, sessionId: sessionId.optional() }).optional()

export const sessionsOpenMethods: Methods = {
  'sessions.open': method(
    'Creates, resumes or joins a session.',
    {
      kind: z.enum(['create', 'resume', 'resumeLast', 'attach', 'remote', 'cloud', 'handoff']),
      sessionId: sessionId.optional(),
      context: context.optional(),
      remoteSessionId: z.string().optional(),
      metadata: z.looseObject({ sessionId: z.string() }).optional(),
      options,
    },
    async (call, params) => {
      const { kind, sessionId: id, context: where, remoteSessionId, metadata } = params
      const { options: given = {} } = params
      const { sessionId: wanted, ...config } = given
      if (kind === 'create') {
        const made = wanted ?? (crypto.randomUUID() as SessionId)
        await createSession(call.server, call.client, made, config)
        return { status: 'created', sessionId: made }
      }
      if (kind === 'remote') return openRemote(call, remoteSessionId, config)
      if (kind === 'cloud') return openCloud(call, config)
      if (kind === 'handoff') return openHandoff(call, metadata?.sessionId, config)
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
  const isThere = await isFound(resumeSession(server, client, id, config))
  return isThere ? { status: 'resumed', sessionId: id } : { status: 'not_found' }
}

async function openRemote(
  { server, client }: Call,
  word: string | undefined,
  config: Parameters<typeof resumeSession>[3],
) {
  if (word === undefined)
    throw new EngineError('invalid', 'remoteSessionId is missing. Nothing was changed.')
  const far = await whereFound(joinFar(server, client, word, config), undefined)
  if (far === undefined) return { status: 'not_found' }
  const { id, session } = far
  return { status: 'connected', sessionId: id, remoteSessionId: id, metadata: session }
}

/** On a worker; what is not committed stays here, since nobody is asked. */
async function openCloud({ server, client }: Call, config: Parameters<typeof resumeSession>[3]) {
  const remote = await required(server)
  const cwd = config.workingDirectory ?? server.parts.cwd
  const { repository } = (await remote.tasks.draft(cwd)).wish
  const { session: id } = await remote.tasks.start(defined({ repository }))
  for (const end = Date.now() + CLOUD_MS; ; await sleep(LOOK_MS)) {
    const { found } = await remote.meant(id)
    if (found[0]?.session.remote.isSteerable === true) break
    if (Date.now() > end)
      throw new EngineError(
        'unreachable',
        `No worker has taken the session ${id} yet. It waits for one; connect to it later.`,
      )
  }
  const { session } = await joinFar(server, client, id, config)
  return { status: 'created', sessionId: id, remoteSessionId: id, metadata: session }
}

const CLOUD_MS = 60_000
const LOOK_MS = 300

async function openHandoff(
  { server, client }: Call,
  word: string | undefined,
  config: Parameters<typeof resumeSession>[3],
) {
  if (word === undefined)
    throw new EngineError('invalid', 'metadata.sessionId is missing. Nothing was changed.')
  const remote = await required(server)
  const [found] = (await remote.meant(word)).found
  if (found === undefined) return { status: 'not_found' }
  const cwd = config.workingDirectory ?? server.parts.cwd
  const { id, progress } = await remote.takeOver(found.session.id, { cwd })
  await resumeSession(server, client, id, config)
  return { status: 'handed_off', sessionId: id, progress }
}
