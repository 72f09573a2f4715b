/**
 * A configuration as another person may see it: which settings there are, and the values of those that are never
 * secret. Commands, headers, variables and addresses with more than a host are left out.
 */
import type { Config } from '../../config/config-file.ts'

const LEFT_OUT = '(left out)'

/** Dotted names; `*` stands for any one key. */
const OPEN = [
  'model.provider',
  'model.name',
  'model.reasoningEffort',
  'extensions.enabled.*',
  'redaction.persist',
  'hooks.*.*.tools.*',
  'mcpServers.*.tools.*',
  'github.mcp',
  'github.tokenEnv',
].map((name) => name.split('.'))

const ADDRESSES: ReadonlySet<string> = new Set(['baseUrl', 'endpoint', 'url'])

export const publicConfig = (config: Config): unknown => shown(config, [])

function shown(value: unknown, place: readonly string[]): unknown {
  if (typeof value === 'string') return isOpen(place) ? value : closed(value, place)
  if (Array.isArray(value)) return value.map((item, at) => shown(item, [...place, String(at)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(item, [...place, name])]),
  )
}

const isOpen = (place: readonly string[]) =>
  OPEN.some(
    (name) =>
      name.length === place.length && name.every((key, at) => key === '*' || key === place[at]),
  )

function closed(value: string, place: readonly string[]): string {
  const last = place.at(-1) ?? ''
  // One word is the name of an agent, more are a command.
  if (place.length === 1 && last === 'agent') return /^[\w-]+$/.test(value) ? value : LEFT_OUT
  // A key that was put where its variable belongs is no such name.
  if (last === 'apiKeyEnv') return /^[A-Z][A-Z0-9_]{0,63}$/.test(value) ? value : LEFT_OUT
  if (!ADDRESSES.has(last) || !URL.canParse(value)) return LEFT_OUT
  const { origin, pathname } = new URL(value)
  return pathname === '/' ? origin : `${origin}/…`
}
