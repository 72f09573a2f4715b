/**
 * The configuration with what the command line adds to it for this one start, its directory too: tool servers start
 * there. Nothing of it is kept.
 */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Config } from '../../config/config-file.ts'
import { brokenOption, rulesOf, type LaunchRules } from '../../config/launch-rules.ts'
import type { Loaded } from '../../config/extensions.ts'
import { EngineError } from '../../engine/errors.ts'
import type { RemoteMode } from '../../engine/remote-control.ts'
import { defined } from '../../lib/defined.ts'
import { realPath } from '../../lib/real-path.ts'
import { readSmallText } from '../../lib/small-text.ts'
import { mostRemote, type Launch } from './copilot-options.ts'

/** What holds for one start only has no name in a file. */
export type LaunchConfig = Config & {
  readonly permissions?: Pick<LaunchRules, 'allTools'> | undefined
  /** Why no turn may start. */
  readonly broken?: string | undefined
  /** How often an agent is asked to go on in autopilot, in one turn. */
  readonly mostContinues?: number | undefined
  /** What a session may have of Mission Control at most. */
  readonly mostRemote?: RemoteMode | undefined
}
type Launched = Loaded & { readonly config: LaunchConfig }

export async function withLaunch(loaded: Loaded, launch: Launch, cwd: string): Promise<Launched> {
  const { config } = loaded
  const more = await Promise.all(
    (launch.additionalMcpConfig ?? []).map((text) => serversIn(text, cwd)),
  )
  const servers = Object.entries(Object.assign({}, config.mcpServers, ...more) as Servers)
  const broken = brokenOption(
    launch,
    servers.map(([name]) => name),
  )
  if (broken !== undefined) throw new EngineError('invalid', `${broken} Nothing was started.`)
  const { allow, deny, allTools } = rulesOf({
    ...launch,
    addDir: (launch.addDir ?? []).map((folder) => resolve(cwd, folder)),
    ...(launch.disallowTempDir !== true && { tempDir: await realPath(tmpdir()) }),
  })
  const disabled = new Set([
    ...(launch.disableMcpServer ?? []),
    ...(launch.disableBuiltinMcps === true && config.github?.mcp !== undefined ? ['github'] : []),
  ])
  return {
    ...loaded,
    config: {
      ...config,
      ...defined({ sandbox: launch.sandbox ?? config.sandbox }),
      ...defined({ broken: loaded.broken }),
      ...defined({ mostContinues: launch.maxAutopilotContinues, mostRemote: mostRemote(launch) }),
      permissions: {
        allow: [...(config.permissions?.allow ?? []), ...allow],
        deny: [...(config.permissions?.deny ?? []), ...deny],
        ...defined({ allTools }),
      },
      mcpServers: Object.fromEntries(
        servers.flatMap(([name, server]) =>
          disabled.has(name) ? [] : [[name, 'command' in server ? { ...server, cwd } : server]],
        ),
      ),
    },
  }
}

type Servers = NonNullable<Config['mcpServers']>

/** JSON, or `@` and the file that holds it. */
async function serversIn(given: string, cwd: string): Promise<Servers> {
  const flag = '--additional-mcp-config'
  const file = given.startsWith('@') ? resolve(cwd, given.slice(1)) : undefined
  const text = file === undefined ? given : await readSmallText(file)
  if (text === undefined)
    throw new EngineError('invalid', `${flag}: ${file} cannot be read. Nothing was started.`)
  const { configSchema } = await import('../../config/config-file.ts')
  const parsed = configSchema.pick({ mcpServers: true }).safeParse(jsonIn(text))
  if (parsed.success && parsed.data.mcpServers !== undefined) return parsed.data.mcpServers
  throw new EngineError(
    'invalid',
    `${flag} wants {"mcpServers": {"name": {"command": "…"} or {"url": "…"}}}. Nothing was started.`,
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is refused by the schema, in one sentence with everything else that does not fit.
    return undefined
  }
}
