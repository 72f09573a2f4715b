/**
 * Which tools a client wants the agent to have: those that match what is available, when that is said, and do not match
 * what is excluded. A pattern is a name, or a source with a name or a star: `builtin:*`, `mcp:server-tool`, `custom:weather`.
 */
type ToolSource = 'builtin' | 'mcp' | 'custom'

export function toolFilter({
  availableTools,
  excludedTools = [],
}: {
  readonly availableTools?: readonly string[] | undefined
  readonly excludedTools?: readonly string[] | undefined
}): (name: string, source: ToolSource, formerName?: string) => boolean {
  return (name, source, formerName = name) => {
    const meant = new Set([name, formerName].flatMap((each) => [each, `${source}:${each}`]))
    const matches = (pattern: string) => meant.has(pattern) || pattern === `${source}:*`
    return (availableTools?.some(matches) ?? true) && !excludedTools.some(matches)
  }
}
