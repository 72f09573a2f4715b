/**
 * Which tools a client wants the agent to have: those that match what is available, when that is said, and do not match
 * what is excluded. A pattern is a name, or a source with a name or a star: `builtin:*`, `mcp:*`, `custom:weather`.
 */
type ToolSource = 'builtin' | 'mcp' | 'custom'

export function toolFilter({
  availableTools,
  excludedTools = [],
}: {
  readonly availableTools?: readonly string[] | undefined
  readonly excludedTools?: readonly string[] | undefined
}): (name: string, source: ToolSource) => boolean {
  return (name, source) => {
    const matches = (pattern: string) =>
      pattern === name || pattern === `${source}:${name}` || pattern === `${source}:*`
    return (availableTools?.some(matches) ?? true) && !excludedTools.some(matches)
  }
}
