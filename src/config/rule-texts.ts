/** What a rule of permissions may be, in the configuration and behind options, and what was meant by one that cannot be. Pure. */
import { distanceOf } from '../lib/nearest.ts'
import type { Config } from './config-file.ts'

/** What an agent may ask for. */
const KINDS = [
  'shell',
  'write',
  'read',
  'url',
  'mcp',
  'custom-tool',
  'memory',
  'outside',
  'hook',
  'factory',
  'extension-management',
  'extension-permission-access',
  'extension-env-access',
]

/** As other agents call their tools. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  Bash: 'shell',
  ShellTool: 'shell',
  run_shell_command: 'shell',
  Edit: 'write',
  MultiEdit: 'write',
  NotebookEdit: 'write',
  Write: 'write',
  write_file: 'write',
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LS: 'read',
  read_file: 'read',
  WebFetch: 'url',
  web_fetch: 'url',
}

/** Why it can be no rule, and what was meant; undefined for one that can. Any other kind is the name of a tool server. */
export function ruleTrouble(text: string, servers: readonly string[] = []): string | undefined {
  const [, kind = '', rest = ''] = /^\s*([^()]*?)\s*(\(.*|\).*)?$/s.exec(text) ?? []
  const said = `"${text}" is no permission rule`
  if (kind === '' || rest.startsWith(')'))
    return `${said}. Write for example shell(git status*) or write(src/**).`
  if (rest !== '' && !/^\(.*\)\s*$/s.test(rest))
    return `${said}: a bracket is missing. Did you mean ${asMeant(kind)}(${rest.slice(1)})?`
  if (KINDS.includes(kind) || servers.includes(kind)) return undefined
  const meant = asMeant(kind)
  if (meant !== kind) return `${said}: there is no kind "${kind}". Did you mean ${meant}${rest}?`
  const [, server, tool] = /^mcp__(.+?)(?:__(.+))?$/.exec(kind) ?? []
  if (server !== undefined) return `${said}. Did you mean mcp(${server}/${tool ?? '*'})?`
  if (/[^\w.@:/-]/.test(kind)) return `${said}. Did you mean shell(${text.trim()})?`
  return undefined
}

function asMeant(kind: string): string {
  if (Object.hasOwn(ELSEWHERE, kind)) return ELSEWHERE[kind] ?? kind
  const most = (known: string) => (known.length > 6 ? 2 : 1)
  return (
    KINDS.find((known) => distanceOf(kind.toLowerCase(), known, most(known)) <= most(known)) ?? kind
  )
}

/** The tool server that a rule speaks of by its name. */
function serverIn(text: string): string | undefined {
  const [, kind = '', argument = ''] = /^\s*([^()]+?)\s*(?:\((.*)\)\s*)?$/s.exec(text) ?? []
  if (kind === 'mcp') return /^([^/*?[{]+)/.exec(argument)?.[1]
  return KINDS.includes(kind) || kind === '' ? undefined : kind
}

/** `my-server(my-tool)`, as the Copilot CLI writes it, is `mcp(my-server/my-tool)`. */
function asRule(text: string): string {
  const [, kind = '', argument] = /^\s*([^()]+?)\s*(?:\((.*)\)\s*)?$/s.exec(text) ?? []
  return KINDS.includes(kind) ? text.trim() : `mcp(${kind}/${argument || '*'})`
}

type Rules = NonNullable<Config['permissions']>
type Named = { readonly setting: 'permissions.allow' | 'permissions.deny'; readonly text: string }

const rulesIn = ({ allow = [], deny = [] }: Rules): readonly Named[] => [
  ...allow.map((text) => ({ setting: 'permissions.allow' as const, text })),
  ...deny.map((text) => ({ setting: 'permissions.deny' as const, text })),
]

/** The first rule of a configuration that can be none. */
export function brokenRule({ permissions = {}, mcpServers = {} }: Config): string | undefined {
  const servers = Object.keys(mcpServers)
  for (const { setting, text } of rulesIn(permissions)) {
    const trouble = ruleTrouble(text, servers)
    if (trouble !== undefined) return `${setting}: ${trouble}`
  }
  return undefined
}

/** Everything about its rules that a person should know. */
export function ruleTroubles({ permissions = {}, mcpServers = {} }: Config): readonly string[] {
  const servers = Object.keys(mcpServers)
  return rulesIn(permissions).flatMap(({ setting, text }) => {
    const trouble = ruleTrouble(text, servers)
    if (trouble !== undefined) return [`${setting}: ${trouble}`]
    const server = serverIn(text)
    return server === undefined || servers.includes(server) || server === 'github'
      ? []
      : [`${setting}: ${text} holds for nothing yet: no tool server ${server} is configured.`]
  })
}

export const withRules = <C extends Config>(config: C): C =>
  config.permissions === undefined
    ? config
    : {
        ...config,
        permissions: {
          ...config.permissions,
          ...(config.permissions.allow && { allow: config.permissions.allow.map(asRule) }),
          ...(config.permissions.deny && { deny: config.permissions.deny.map(asRule) }),
        },
      }
