/** `agents`: which coding agents are on this machine, and what each says that it can do. */
import type { FoundAgent, Run } from '../command.ts'
import { bold, dim, green, yellow } from '../render/span.ts'
import type { Span } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli) => {
  const agents = await cli.host.findAgents(cli.cwd)
  if (cli.json) {
    cli.out.json({ agents })
    return
  }
  const rows = agents.map((agent) => [bold(agent.name), state(agent), dim(details(agent))])
  for (const line of table(rows, { columns: cli.out.columns, shrink: 2 })) cli.out.line(...line)
  cli.out.line(
    dim('reprise --agent <name> -p "…" asks one of them; any other is given by its command.'),
  )
}

function state({ command, version, trouble }: FoundAgent): Span {
  if (command === undefined) return dim('not found')
  if (trouble !== undefined) return yellow('does not start')
  return green(version ?? 'found')
}

function details(agent: FoundAgent): string {
  if (agent.command === undefined) return `npm install -g ${agent.package}`
  if (agent.trouble !== undefined) return `${agent.trouble} (${agent.command})`
  return `${(agent.abilities ?? []).join(', ')} (${agent.command})`
}
