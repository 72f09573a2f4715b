/**
 * What a server calls the tool that a request is about. A request names it `<server>-<tool>`, as the model does; those of
 * older logs have the server's own name.
 */
export function serverTool({
  serverName,
  toolName,
}: {
  readonly serverName: string
  readonly toolName: string
}): string {
  const prefix = `${serverName}-`
  return toolName.startsWith(prefix) ? toolName.slice(prefix.length) : toolName
}
