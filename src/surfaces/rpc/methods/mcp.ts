/** Tool servers of a session: how each is, what it has, and starting, stopping and replacing them while it is open. */
import { z } from 'zod'
import type { McpServer, ServerStatus, ToolServers } from '../../../agents/model/config.ts'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import { errorText } from '../../../lib/error-text.ts'
import { mcpServersOf } from '../client-servers.ts'
import type { Client } from '../client.ts'
import type { HostedSession } from '../hosted-session.ts'
import { configure } from '../join-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { mcpServer } from '../session-config.ts'

const one = { serverName: z.string().min(1) }
const paged = { ...one, cursor: z.string().optional() }

export const mcpMethods: Methods = {
  'session.mcp.list': sessionMethod(
    'Tool servers of a session, and how each is.',
    async (session) => {
      const servers = await serversOf(session)
      await servers.connectAll()
      return listed(servers)
    },
  ),
  'session.mcp.listTools': sessionMethod(
    'What a tool server offers.',
    one,
    async (session, { serverName }) => ({
      tools: await reached(session, serverName, async ({ tools }) => tools),
    }),
  ),
  'session.mcp.enable': sessionMethod(
    'Uses a tool server from the next message on.',
    one,
    async (session, { serverName }) => switched(session, serverName, true),
  ),
  'session.mcp.disable': sessionMethod(
    'Ends a tool server and leaves it out.',
    one,
    async (session, { serverName }) => switched(session, serverName, false),
  ),
  'session.mcp.reload': sessionMethod('Connects to all tool servers anew.', async (session) => {
    await (await serversOf(session)).reload()
    return {}
  }),
  'session.mcp.reloadWithConfig': sessionMethod(
    'Has these tool servers and no others.',
    {
      config: z.looseObject({
        mcpServers: z.record(z.string(), mcpServer).default({}),
        disabledServers: z.array(z.string()).optional(),
      }),
    },
    async (session, { config: { mcpServers, disabledServers = [] } }, { client }) => {
      const servers = await serversOf(session)
      session.servers.replace(serversFrom(session, client, mcpServers))
      for (const name of disabledServers) await servers.enable(name, false)
      await servers.connectAll()
      const failed = servers.list().filter(({ status }) => status === 'failed')
      return {
        filteredServers: [],
        allowedServers: [],
        failedServers: failed.map(({ name, error }) => ({ name, ...defined({ error }) })),
      }
    },
  ),
  'session.mcp.startServer': sessionMethod(
    'Starts a tool server, with another configuration where one is given.',
    { ...one, config: mcpServer.optional() },
    async (session, { serverName, config }, { client }) =>
      started(session, client, serverName, config),
  ),
  'session.mcp.restartServer': sessionMethod(
    'Ends a tool server and starts it again.',
    { ...one, config: mcpServer.optional() },
    async (session, { serverName, config }, { client }) => {
      const servers = await serversOf(session)
      if (nameIn(servers, serverName)) await servers.stop(serverName)
      return started(session, client, serverName, config)
    },
  ),
  'session.mcp.stopServer': sessionMethod(
    'Ends a tool server; it can be started again.',
    one,
    async (session, { serverName }) => {
      const servers = await serversOf(session)
      if (!nameIn(servers, serverName)) throw unknown(serverName)
      await servers.stop(serverName)
      return {}
    },
  ),
  'session.mcp.isServerRunning': sessionMethod(
    'Whether a tool server is connected.',
    one,
    async (session, { serverName }) => ({
      running: (await serversOf(session))
        .list()
        .some(({ name, status }) => name === serverName && status === 'connected'),
    }),
  ),
  'session.mcp.setEnvValueMode': sessionMethod(
    'Whether env of tool servers has values, or names of variables of the server.',
    { mode: z.enum(['direct', 'indirect']) },
    async (session, { mode }, { client }) => {
      configure(session, client, { envValueMode: mode })
      return { mode }
    },
  ),
  'session.mcp.removeGitHub': sessionMethod(
    "Leaves GitHub's own tool server out of the session.",
    async (session) => {
      const servers = await serversOf(session)
      const before = servers.list()
      if (!nameIn(servers, GITHUB)) return { removed: false }
      const others = before.filter(({ name }) => name !== GITHUB)
      session.servers.replace(Object.fromEntries(others.map(({ name, server }) => [name, server])))
      return { removed: true }
    },
  ),
  'session.mcp.resources.list': sessionMethod(
    'Resources of a tool server.',
    paged,
    async (session, { serverName, cursor }) =>
      reached(session, serverName, ({ resources }) => resources(cursor)),
  ),
  'session.mcp.resources.listTemplates': sessionMethod(
    'Templates of resources of a tool server.',
    paged,
    async (session, { serverName, cursor }) =>
      reached(session, serverName, ({ resourceTemplates }) => resourceTemplates(cursor)),
  ),
  'session.mcp.resources.read': sessionMethod(
    'Reads a resource of a tool server.',
    { ...one, uri: z.string() },
    async (session, { serverName, uri }) =>
      reached(session, serverName, ({ readResource }) => readResource(uri)),
  ),
}

const GITHUB = 'github'

/** The agent has them: it is made when it was not yet. */
export async function serversOf(session: HostedSession): Promise<ToolServers> {
  await session.agent.ready()
  return session.servers.require()
}

const nameIn = (servers: ToolServers, wanted: string): boolean =>
  servers.list().some(({ name }) => name === wanted)

const unknown = (name: string) =>
  new EngineError('not_found', `There is no tool server ${name}. Nothing was changed.`)

/** What a tool server refuses is a wish of the client that cannot be met, not a fault. */
export async function told<T>(
  session: HostedSession,
  ask: (servers: ToolServers) => Promise<T>,
): Promise<T> {
  const servers = await serversOf(session)
  try {
    return await ask(servers)
  } catch (cause) {
    throw new EngineError('invalid', errorText(cause), { cause })
  }
}

export const reached = <T>(
  session: HostedSession,
  name: string,
  ask: (connection: Awaited<ReturnType<ToolServers['connection']>>) => Promise<T>,
): Promise<T> => told(session, async (servers) => ask(await servers.connection(name)))

async function switched(session: HostedSession, name: string, isOn: boolean) {
  const servers = await serversOf(session)
  if (!(await servers.enable(name, isOn))) throw unknown(name)
  return {}
}

/** As this client gives them. */
function serversFrom(
  { parts, config }: HostedSession,
  { key: by }: Client,
  given: Readonly<Record<string, z.output<typeof mcpServer>>>,
): Readonly<Record<string, McpServer>> {
  const brought = Object.entries(given).map(([name, server]) => [name, { ...server, by }] as const)
  return mcpServersOf(parts.cwd, Object.fromEntries(brought), config.envValueMode)
}

async function started(
  session: HostedSession,
  client: Client,
  name: string,
  config: z.output<typeof mcpServer> | undefined,
) {
  const servers = await serversOf(session)
  const given = config && serversFrom(session, client, { [name]: config })[name]
  if (given === undefined && !nameIn(servers, name)) throw unknown(name)
  await told(session, () => servers.start(name, given))
  return {}
}

/** In the words of the SDK. */
function listed(servers: ToolServers) {
  const all = servers.list().toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const named = (...wanted: ServerStatus['status'][]) =>
    all.filter(({ status }) => wanted.includes(status)).map(({ name }) => name)
  return {
    servers: all.map(({ name, status, error, instructions }) => ({
      name,
      status,
      ...defined({ error }),
      ...(status === 'connected' && { serverMetadata: { instructions: instructions ?? null } }),
    })),
    host: {
      clients: named('connected'),
      disabledServers: named('disabled'),
      filteredServers: [],
      pendingConnections: named('pending'),
      failedServers: Object.fromEntries(
        all.flatMap(({ name, status, error, failedAtMs }) =>
          status === 'failed' ? [[name, { message: error, timestamp: failedAtMs }]] : [],
        ),
      ),
      needsAuthServers: Object.fromEntries(
        named('needs-auth').map((name) => [name, { reason: 'initial' }]),
      ),
      mcp3pEnabled: true,
    },
  }
}
