/** What autopilot is to reach: a file of the session, as programs and the Copilot CLI write it. */
import { z } from 'zod'
import { inSession, sessionDir } from '../../../format/paths.ts'
import { decodeText, encodeText } from '../../../lib/bytes.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Methods } from '../method.ts'

export const objectiveMethods: Methods = {
  'session.workspaces.readAutopilotObjective': sessionMethod(
    'The objective of autopilot as it was written, if there is one.',
    async (session) => ({ content: await read(session) }),
  ),
  'session.workspaces.autopilotObjectiveExists': sessionMethod(
    'Whether there is an objective of autopilot.',
    async (session) => ({ exists: (await read(session)) !== null }),
  ),
  'session.workspaces.writeAutopilotObjective': sessionMethod(
    'Writes the objective of autopilot.',
    { content: z.string() },
    async (session, { content }) => {
      await session.ops.save()
      const operation = (await read(session)) === null ? 'create' : 'update'
      await session.engine.fs.writeAtomic(placeOf(session), encodeText(content), { durable: true })
      return { operation }
    },
  ),
  'session.workspaces.deleteAutopilotObjective': sessionMethod(
    'Removes the objective of autopilot.',
    async (session) => {
      const deleted = (await read(session)) !== null
      if (deleted) await session.engine.fs.remove(placeOf(session))
      return { deleted }
    },
  ),
  'session.autopilotObjective.getState': sessionMethod(
    'The objective of autopilot and how far it is; null when there is none that can be read.',
    async (session) => {
      const written = objective.safeParse(parsed(await read(session)))
      return { state: written.success ? written.data : null }
    },
  ),
}

const objective = z.object({
  id: z.int().default(1),
  objective: z.string().min(1),
  status: z.enum(['active', 'paused', 'completed']).default('active'),
  turnCount: z.int().default(0),
  pauseReason: z.string().optional(),
  completionSummary: z.string().optional(),
  creditCountNanoAiu: z.string().default('0'),
})

const placeOf = ({ id }: HostedSession): string => inSession(sessionDir(id), 'objective')

async function read(session: HostedSession): Promise<string | null> {
  const bytes = await session.engine.fs.read(placeOf(session))
  return bytes === undefined ? null : decodeText(bytes)
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    // Programs may write what they like: it is kept, and is no state.
    return undefined
  }
}
