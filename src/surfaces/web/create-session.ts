/** A new session: in a folder that is there, answered by who was chosen, in the mode that was chosen. */
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { isFolder } from '../../lib/is-folder.ts'
import type * as api from './api.ts'
import { WebFailure } from './failure.ts'
import type { CreateBody } from './requests.ts'
import type { Web } from './route.ts'

export async function createSession(
  { engine, cwd: own, agents }: Web,
  { cwd, agent, mode, ...wish }: z.output<typeof CreateBody>,
): Promise<api.CreatedAnswer> {
  const folder = cwd === undefined ? own : await folderAt(own, cwd)
  if (agent !== undefined && agents === undefined)
    throw new WebFailure('invalid', 'No agent can be chosen here. Nothing was begun.')
  const made = agent === undefined ? undefined : await agents?.make(agent)
  const session = await engine.create({ cwd: folder, ...defined(wish) })
  await session.save()
  if (made !== undefined) await session.setAgent(made)
  if (mode !== undefined) await session.setMode(mode)
  return { sessionId: session.id }
}

async function folderAt(own: string, typed: string): Promise<string> {
  const written = typed.startsWith('~') ? join(homedir(), typed.slice(1)) : typed
  const path = isAbsolute(written) ? written : resolve(own, written)
  if (await isFolder(path)) return path
  throw new WebFailure('invalid', `There is no folder ${path}. Nothing was begun.`)
}
