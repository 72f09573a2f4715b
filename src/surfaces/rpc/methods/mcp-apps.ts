/** Pages that tool servers bring along (SEP-1865): their tools, their contents, and what they are told of this host. */
import { z } from 'zod'
import { isFor } from '../../../agents/model/config.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { reached, serversOf } from './mcp.ts'

const one = { serverName: z.string().min(1) }
const CALL_MS = 10 * 60_000
const MOST_NAMES = 5

export const mcpAppMethods: Methods = {
  'session.mcp.apps.listTools': sessionMethod(
    'Tools that a page of a tool server may call.',
    one,
    async (session, { serverName }) => {
      requireApps(session)
      return { tools: await reached(session, serverName, async ({ tools }) => tools.filter(ofApp)) }
    },
  ),
  'session.mcp.apps.callTool': sessionMethod(
    'Calls a tool for a page of the same tool server; those for the model alone are refused.',
    {
      ...one,
      toolName: z.string().min(1),
      arguments: z.record(z.string(), z.unknown()).optional(),
      originServerName: z.string().optional(),
    },
    async (
      session,
      { serverName, toolName, arguments: args = {}, originServerName },
      { signal },
    ) => {
      requireApps(session)
      if (originServerName !== undefined && originServerName !== serverName)
        throw refused(`A page of ${originServerName} may not call tools of ${serverName}.`)
      return reached(session, serverName, async ({ tools, call }) => {
        if (!tools.some((tool) => tool.name === toolName && ofApp(tool)))
          throw refused(`No page may call the tool ${toolName} of ${serverName}.`)
        return call(toolName, args, { signal, timeoutMs: CALL_MS })
      })
    },
  ),
  'session.mcp.apps.readResource': sessionMethod(
    'Reads a page of a tool server.',
    { ...one, uri: z.string() },
    async (session, { serverName, uri }) => {
      requireApps(session)
      return reached(session, serverName, ({ readResource }) => readResource(uri))
    },
  ),
  'session.mcp.apps.setHostContext': sessionMethod(
    'What pages are told of where they are shown: theme, language, size.',
    { context: z.looseObject({}) },
    (session, { context }) => {
      session.hostContext = context
    },
  ),
  'session.mcp.apps.getHostContext': sessionMethod(
    'What pages are told of where they are shown.',
    ({ hostContext }) => ({ context: hostContext }),
  ),
  'session.mcp.apps.diagnose': sessionMethod(
    'Whether pages can be shown, and which tools of a server have some.',
    one,
    async (session, { serverName }) => {
      const isOn = session.config.requestMcpApps === true
      const servers = await serversOf(session)
      const status = servers.list().find(({ name }) => name === serverName)?.status
      const isConnected = status === 'connected'
      const tools = isConnected ? (await servers.connection(serverName)).tools : []
      const withPages = tools.filter(({ _meta }) => _meta?.['ui'] !== undefined)
      return {
        capability: { sessionHasMcpApps: isOn, featureFlagEnabled: true, advertised: isOn },
        server: {
          connected: isConnected,
          toolCount: tools.length,
          toolsWithUiMeta: withPages.length,
          sampleToolNames: withPages.slice(0, MOST_NAMES).map(({ name }) => name),
        },
      }
    },
  ),
}

const ofApp = (tool: Parameters<typeof isFor>[0]): boolean => isFor(tool, 'app')

const refused = (why: string) => new EngineError('invalid', `${why} Nothing was called.`)

function requireApps({ config }: HostedSession): void {
  if (config.requestMcpApps === true) return
  throw new EngineError(
    'invalid',
    'The "mcp-apps" capability is not available in this session: no client said that it shows pages of tool servers.',
  )
}
