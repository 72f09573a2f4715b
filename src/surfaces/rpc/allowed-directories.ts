/**
 * What a person allowed for a place, a repository or a folder, and which folders they trust. Kept in the home, for all
 * sessions that work there; what the Copilot CLI keeps in its own files there counts too, and is never written.
 */
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Engine } from '../../engine/engine.ts'
import { serverTool } from '../../engine/permission/server-tool.ts'
import { inHome } from '../../format/paths.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import { realPath } from '../../lib/real-path.ts'
import type { SdkRule } from './session-rules.ts'

const approval = z.looseObject({
  kind: z.string(),
  commandIdentifiers: z.array(z.string()).optional(),
  serverName: z.string().optional(),
  toolName: z.string().nullish(),
})
export type PlaceApproval = z.output<typeof approval>

const location = z.looseObject({ tool_approvals: z.array(approval).optional() })
const kept = z.looseObject({
  locations: z.record(z.string(), location).optional(),
  trustedFolders: z.array(z.string()).optional(),
})
type Kept = z.output<typeof kept>

export type PermissionLocation = {
  readonly locationKey: string
  readonly locationType: 'repo' | 'dir'
}

type Home = Pick<Engine, 'fs' | 'project'>

/** The repository that a directory is in, or the directory itself. */
export async function placeOf(
  { project }: Pick<Home, 'project'>,
  cwd: string,
): Promise<PermissionLocation> {
  const { gitRoot } = await project(cwd)
  return gitRoot === undefined
    ? { locationKey: await realPath(cwd), locationType: 'dir' }
    : { locationKey: gitRoot, locationType: 'repo' }
}

export async function approvalsAt(home: Home, key: string): Promise<readonly PlaceApproval[]> {
  const files = await Promise.all([read(home, OURS), read(home, inHome('copilotPermissions'))])
  return files.flatMap(({ locations }) => locations?.[key]?.tool_approvals ?? [])
}

/** What was allowed for the place of a directory, as rules. */
export const rulesAt = async (home: Home, cwd: string): Promise<readonly SdkRule[]> =>
  rulesFrom(await approvalsAt(home, (await placeOf(home, cwd)).locationKey))

export const addApproval = (home: Home, key: string, added: PlaceApproval): Promise<void> =>
  change(home, (before) => {
    const { locations = {} } = before
    const known = locations[key]?.tool_approvals ?? []
    if (known.some((each) => JSON.stringify(each) === JSON.stringify(added))) return before
    return {
      ...before,
      locations: { ...locations, [key]: { ...locations[key], tool_approvals: [...known, added] } },
    }
  })

export const forgetApprovals = (home: Home, key: string): Promise<void> =>
  change(home, (before) => {
    const { [key]: _gone, ...locations } = before.locations ?? {}
    return { ...before, locations }
  })

/** A folder is trusted with the one that holds it. */
export async function isTrusted(home: Home, path: string): Promise<boolean> {
  const files = await Promise.all([read(home, OURS), read(home, inHome('copilotConfig'))])
  const trusted = new Set(files.flatMap(({ trustedFolders = [] }) => trustedFolders))
  for (let folder = await realPath(path); ; folder = dirname(folder)) {
    if (trusted.has(folder)) return true
    if (dirname(folder) === folder) return false
  }
}

export async function trust(home: Home, path: string): Promise<void> {
  const folder = await realPath(path)
  await change(home, (before) => ({
    ...before,
    trustedFolders: [...new Set([...(before.trustedFolders ?? []), folder])],
  }))
}

/** In the words of rules. */
export function rulesFrom(approvals: readonly PlaceApproval[]): readonly SdkRule[] {
  return approvals.flatMap(({ kind, commandIdentifiers = [], serverName, toolName }): SdkRule[] => {
    if (kind === 'commands')
      return commandIdentifiers.map((argument) => ({ kind: 'shell', argument }))
    if (kind === 'mcp' && serverName !== undefined)
      return [
        {
          kind: serverName,
          argument: typeof toolName === 'string' ? serverTool({ serverName, toolName }) : null,
        },
      ]
    if (kind === 'custom-tool') return [{ kind: 'custom-tool', argument: toolName ?? null }]
    return kind === 'read' || kind === 'write' || kind === 'memory'
      ? [{ kind, argument: null }]
      : []
  })
}

const OURS = inHome('permittedPlaces')

async function read({ fs }: Home, path: string): Promise<Kept> {
  const bytes = await fs.read(path)
  if (bytes === undefined) return {}
  // The Copilot CLI puts remarks before the object.
  const json = decodeText(bytes).replace(/^[ \t]*\/\/.*$/gm, '')
  try {
    return kept.parse(JSON.parse(json))
  } catch {
    // Nothing is allowed by what cannot be read; the person is asked again.
    return {}
  }
}

const change = (home: Home, by: (before: Kept) => Kept): Promise<void> =>
  inTurn(home.fs.lockKey(OURS), async () => {
    const after = by(await read(home, OURS))
    await home.fs.mkdir(dirname(OURS))
    await home.fs.writeAtomic(OURS, encodeText(`${JSON.stringify(after, null, 2)}\n`), {
      durable: true,
    })
  })
