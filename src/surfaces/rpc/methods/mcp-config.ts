/** Tool servers in the user's own configuration, for all sessions that are opened from then on. */
import { z } from 'zod'
import type { Config, ServerSettings } from '../../../config/config-file.ts'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import { method, type Methods } from '../method.ts'
import type { Settings } from '../parts.ts'
import { mcpServer } from '../session-config.ts'

type Servers = Readonly<Record<string, ServerSettings>>

const named = { name: z.string().min(1) }
const names = { names: z.array(z.string().min(1)) }

export const mcpConfigMethods: Methods = {
  'mcp.config.list': method('Tool servers that are configured.', async ({ server }) => ({
    servers: Object.fromEntries(
      Object.entries(await serversOf(server.parts.settings)).map(([name, each]) => [
        name,
        inTheirWords(each),
      ]),
    ),
  })),
  'mcp.config.add': method(
    'Configures another tool server.',
    { ...named, config: mcpServer },
    async ({ server }, { name, config }) =>
      change(server.parts.settings, (servers) => {
        if (servers[name] !== undefined)
          throw new EngineError(
            'conflict',
            `MCP server '${name}' already exists. Nothing was changed. Use 'mcp.config.update' to modify it.`,
          )
        return { ...servers, [name]: inOurWords(config) }
      }),
  ),
  'mcp.config.update': method(
    'Configures a tool server differently.',
    { ...named, config: mcpServer },
    async ({ server }, { name, config }) =>
      change(server.parts.settings, (servers) => {
        const { enabled } = found(servers, name)
        return { ...servers, [name]: { ...inOurWords(config), ...defined({ enabled }) } }
      }),
  ),
  'mcp.config.remove': method(
    'Takes a tool server out of the configuration.',
    named,
    async ({ server }, { name }) =>
      change(server.parts.settings, (servers) => {
        found(servers, name)
        const { [name]: _gone, ...others } = servers
        return others
      }),
  ),
  'mcp.config.enable': method('Starts these tool servers.', names, async ({ server }, given) =>
    change(server.parts.settings, (servers) => switched(servers, given.names, true)),
  ),
  'mcp.config.disable': method(
    'Keeps these tool servers in the configuration and does not start them.',
    names,
    async ({ server }, given) =>
      change(server.parts.settings, (servers) => switched(servers, given.names, false)),
  ),
  'mcp.config.reload': method('Reads the configuration again.', ({ server }) =>
    server.parts.settings.forget(),
  ),
  'mcp.discover': method(
    'Tool servers that sessions are given, and whether they are on.',
    { workingDirectory: z.string().optional() },
    async ({ server }) => ({
      servers: Object.entries(await serversOf(server.parts.settings)).map(([name, each]) => ({
        name,
        type: 'url' in each ? 'http' : 'stdio',
        source: 'user',
        enabled: each.enabled ?? true,
      })),
    }),
  ),
}

const serversOf = async ({ read }: Settings): Promise<Servers> => (await read()).mcpServers ?? {}

async function change(settings: Settings, by: (servers: Servers) => Servers): Promise<null> {
  await settings.change((config): Config => ({
    ...config,
    mcpServers: by(config.mcpServers ?? {}),
  }))
  return null
}

function found(servers: Servers, name: string): ServerSettings {
  const server = servers[name]
  if (server === undefined)
    throw new EngineError('not_found', `MCP server '${name}' not found. Nothing was changed.`)
  return server
}

const switched = (servers: Servers, wanted: readonly string[], enabled: boolean): Servers => ({
  ...servers,
  ...Object.fromEntries(wanted.map((name) => [name, { ...found(servers, name), enabled }])),
})

function inOurWords(given: z.output<typeof mcpServer>): ServerSettings {
  const { command, args, env, cwd, url, headers, tools, timeout: timeoutMs } = given
  const common = {
    ...(tools !== undefined && !tools.includes('*') && { tools }),
    ...defined({ timeoutMs }),
  }
  if (url !== undefined) return { url, ...defined({ headers }), ...common }
  if (command !== undefined) return { command, ...defined({ args, env, cwd }), ...common }
  throw new EngineError('invalid', 'A tool server wants a command or a url. Nothing was changed.')
}

function inTheirWords(server: ServerSettings) {
  const { tools = ['*'], timeoutMs, enabled: _isOn, ...others } = server
  return { ...others, tools, ...defined({ timeout: timeoutMs }) }
}
