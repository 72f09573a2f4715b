/** Where a session may go without a question, what was allowed for a place, and which folders are trusted. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { isBelow } from '../../../lib/is-below.ts'
import { isFolder } from '../../../lib/is-folder.ts'
import { realPath } from '../../../lib/real-path.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Call, type Methods } from '../method.ts'
import * as places from '../allowed-directories.ts'
import { changed } from '../session-rules.ts'
import { workspaceOf } from './session.ts'

const path = z.string().min(1)
const done = { success: true }

export const approval = z.looseObject({
  kind: z.string(),
  commandIdentifiers: z.array(z.string()).optional(),
  serverName: z.string().optional(),
  toolName: z.string().nullish(),
})

export const permissionPlaceMethods: Methods = {
  'session.permissions.paths.list': sessionMethod(
    'Directories that are read without a question.',
    async (session) => ({
      directories: await allowedIn(session),
      primary: await realPath(cwdOf(session)),
    }),
  ),
  'session.permissions.paths.add': sessionMethod(
    'Lets a directory be read without a question.',
    { path },
    async (session, { path: given }) => {
      const { paths } = session.permissions.rules
      const folder = await folderAt(resolve(cwdOf(session), given))
      const known = paths.additionalDirectories ?? []
      session.permissions.rules.paths = {
        ...paths,
        additionalDirectories: [...new Set([...known, folder])],
      }
      return done
    },
  ),
  'session.permissions.paths.updatePrimary': sessionMethod(
    'Lets the session work in another directory.',
    { path },
    async ({ ops }, { path: given }) => {
      await ops.moveTo(await folderAt(given))
      return done
    },
  ),
  'session.permissions.paths.isPathWithinAllowedDirectories': sessionMethod(
    'Whether a path is in one of these directories.',
    { path },
    async (session, { path: given }) => {
      const { paths, readsAll } = session.permissions.rules
      if (paths.unrestricted === true || readsAll) return { allowed: true }
      const place = await realPath(resolve(cwdOf(session), given))
      return { allowed: (await allowedIn(session)).some((folder) => isBelow(folder, place)) }
    },
  ),
  'session.permissions.paths.isPathWithinWorkspace': sessionMethod(
    "Whether a path is in the session's own folder.",
    { path },
    async (session, { path: given }) => {
      const place = await realPath(resolve(cwdOf(session), given))
      return { allowed: isBelow(await realPath(workspaceOf(session)), place) }
    },
  ),
  'session.permissions.locations.resolve': sessionMethod(
    'Which place a directory belongs to: its repository, or itself.',
    { workingDirectory: path },
    (_session, { workingDirectory }, { server }) =>
      places.placeOf(server.parts.catalogue, workingDirectory),
  ),
  'session.permissions.locations.apply': sessionMethod(
    'Allows in this session what was allowed for a place.',
    { workingDirectory: path },
    async ({ permissions }, { workingDirectory }, { server }) => {
      const { catalogue } = server.parts
      const place = await places.placeOf(catalogue, workingDirectory)
      const found = places.rulesFrom(await places.approvalsAt(catalogue, place.locationKey))
      const before = permissions.rules.ofPlace
      permissions.rules.ofPlace = changed(before, { add: found })
      const appliedRuleCount = permissions.rules.ofPlace.length - before.length
      return {
        ...place,
        changed: appliedRuleCount > 0,
        appliedRuleCount,
        appliedDirectoryCount: 0,
        appliedRules: found,
      }
    },
  ),
  'session.permissions.locations.addToolApproval': sessionMethod(
    'Allows something for a place from now on, in this session at once.',
    { locationKey: path, approval },
    async ({ permissions }, { locationKey, approval: given }, { server }) => {
      const add = places.rulesFrom([given])
      if (add.length === 0) {
        throw new EngineError(
          'invalid',
          `"${given.kind}" cannot be allowed for a place. Nothing was changed. Allow commands, read, write, memory, mcp or custom-tool.`,
        )
      }
      await places.addApproval(server.parts.catalogue, locationKey, given)
      permissions.rules.ofPlace = changed(permissions.rules.ofPlace, { add })
      return done
    },
  ),
  'session.permissions.folderTrust.isTrusted': sessionMethod(
    'Whether the user trusts a folder.',
    { path },
    async (_session, { path: given }, { server }) => ({
      trusted: await places.isTrusted(server.parts.catalogue, given),
    }),
  ),
  'session.permissions.folderTrust.addTrusted': sessionMethod(
    'Trusts a folder and all below it from now on.',
    { path },
    async (_session, { path: given }, { server }) => {
      await places.trust(server.parts.catalogue, given)
      return done
    },
  ),
}

/** Takes back what was approved for a session, and for the place where it works. */
export async function forgetApprovals(
  session: HostedSession,
  includeLocation: boolean,
  { server }: Pick<Call, 'server'>,
): Promise<void> {
  const { permissions } = session
  permissions.forgetApprovals()
  permissions.rules.approved = []
  if (!includeLocation) return
  const { catalogue } = server.parts
  const { locationKey } = await places.placeOf(catalogue, cwdOf(session))
  await places.forgetApprovals(catalogue, locationKey)
  permissions.rules.ofPlace = []
}

const cwdOf = ({ ops, parts }: HostedSession): string => ops.now?.cwd ?? parts.cwd

async function allowedIn(session: HostedSession): Promise<readonly string[]> {
  const { additionalDirectories = [] } = session.permissions.rules.paths
  const all = [cwdOf(session), workspaceOf(session), ...additionalDirectories]
  return [...new Set(await Promise.all(all.map(realPath)))]
}

async function folderAt(given: string): Promise<string> {
  if (await isFolder(given)) return realPath(given)
  throw new EngineError(
    'not_found',
    `Directory does not exist or cannot be accessed: ${given}. Nothing was changed.`,
  )
}
