/** `agents`: which coding agents are on this machine, what each asks before it does it, and what it says that it can do. */
import type { FoundAgent, Run } from '../command.ts'
import { bold, dim, green, yellow, type Span } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli) => {
  if (cli.json) {
    cli.out.json({ agents: await cli.host.findAgents(cli.cwd) })
    return
  }
  // Each has to come up to say what it can do: it is told as soon as it has.
  await cli.host.findAgents(cli.cwd, (agent) => {
    const cells = [bold(agent.name.padEnd(NAME)), state(agent), dim(details(agent))]
    for (const line of table([cells], { columns: cli.out.columns, shrink: 2 }))
      cli.out.line(...line)
    const { before, never } = agent.asks
    cli.out.line(dim(`${' '.repeat(NAME)}  asks before ${before}; never before ${never}`))
  })
  cli.out.line(
    dim('reprise --agent <name> -p "…" asks one of them; any other is given by its command.'),
  )
}

const NAME = 10

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
