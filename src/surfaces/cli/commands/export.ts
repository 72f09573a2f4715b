/** `export`: a session as one redacted file, on disk or on stdout. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { usage, type Cli, type Given, type Run } from '../command.ts'
import { findSession } from '../../../commands/find-session.ts'
import type { exportOptions } from '../server-options.ts'
import { defined } from '../../../lib/defined.ts'

export const run: Run = async (cli, given) => {
  const { html, markdown, to, output } = given.all<typeof exportOptions>()
  if (to !== undefined) return giveAway(cli, given, to)
  const formats = [html && 'html', markdown && 'markdown', cli.json && 'json'] as const
  const [format = 'html', ...more] = formats.filter((each) => typeof each === 'string')
  if (more.length > 0) throw usage('Give one of --html, --markdown and --json.')
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const file = output === undefined || output === '-' ? undefined : resolve(cli.cwd, output)
  // A page is nothing to read on a terminal.
  const isPage = output === undefined && format === 'html' && cli.out.isTerminal
  const folder = isPage ? cli.cwd : undefined
  const done = await cli.host.exportSession(engine, { id, format, ...defined({ file, folder }) })
  if (done.file === undefined) await cli.out.bytes(Buffer.from(done.text))
  else if (isPage) cli.out.line(`Written to ${done.file}. -o - prints it.`)
}

async function giveAway(cli: Cli, given: Given, to: string): Promise<void> {
  const engine = await cli.engine()
  const session = await engine.open(await findSession(cli, engine, given.word(0) ?? ''))
  const { giveTo } = await import('../../../commands/export-to-agent.ts')
  const { said, ...done } = await giveTo(
    {
      cwd: cli.cwd,
      now: cli.now,
      redactor: () => cli.host.openRedactor(cli.home.path),
      machine: { env: cli.host.env, home: homedir() },
    },
    session,
    { to, output: given.text('output') },
  )
  if (cli.json) cli.out.json(done)
  else for (const line of said.split('\n')) cli.out.line(line)
}
