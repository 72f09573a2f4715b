/**
 * GitHub's own tool server by one setting, `github.mcp`: with `read` it only looks, with `all` it may change what the
 * token may. Off unless it is set: nothing is sent to GitHub by itself.
 */
import type { Config } from './config-file.ts'

const GITHUB_MCP = 'https://api.githubcopilot.com/mcp/'

/** The configuration with the server in it; one of the user's own that is called `github` goes before it. */
export function withGithub(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const { mcp = 'off', url = GITHUB_MCP, tokenEnv } = config.github ?? {}
  if (mcp === 'off') return config
  const base = url.endsWith('/') ? url : `${url}/`
  const token = tokenEnv === undefined ? (env['GITHUB_TOKEN'] ?? env['GH_TOKEN']) : env[tokenEnv]
  const github = {
    url: mcp === 'read' ? `${base}readonly` : base,
    // Without a token the server itself says that it was refused.
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  }
  return { ...config, mcpServers: { github, ...config.mcpServers } }
}
