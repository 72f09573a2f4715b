/** Tool servers as a client gives them, in the words of the model agent. */
import type { McpServer } from '../../agents/model/config.ts'
import { agentEnvironment } from '../../lib/child-environment.ts'
import { defined } from '../../lib/defined.ts'
import type { AgentConfig, BroughtServer } from './agent-config.ts'

/** `here`: where they start that the client says no directory for. */
export function mcpServersOf(
  here: string,
  given: Readonly<Record<string, BroughtServer>> = {},
  envValueMode: AgentConfig['envValueMode'] = 'direct',
): Readonly<Record<string, McpServer>> {
  const entries = Object.entries(given).flatMap(([name, server]): [string, McpServer][] => {
    const { command, args, env, cwd = here, url, headers, tools, timeout, by } = server
    const common = {
      ...(tools !== undefined && !tools.includes('*') && { tools }),
      ...defined({ timeoutMs: timeout, by }),
    }
    if (url !== undefined) return [[name, { url, ...defined({ headers }), ...common }]]
    if (command === undefined) return []
    const more = { ...defined({ args }), ...(env && { env: valuesOf(env, envValueMode) }), cwd }
    return [[name, { command, ...more, ...common }]]
  })
  return Object.fromEntries(entries)
}

/** A variable that is not there has no value to give. */
function valuesOf(
  env: Readonly<Record<string, string>>,
  mode: 'direct' | 'indirect',
): Readonly<Record<string, string>> {
  if (mode === 'direct') return env
  const own = agentEnvironment()
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, from]) => {
      const value = own[from]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
