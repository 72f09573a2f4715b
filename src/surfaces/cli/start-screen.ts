/** What `reprise` shows when nothing is asked of it: the newest sessions here, and what else there is. */
import { chooseSession } from './choose-session.ts'
import type { Cli, Given } from './command.ts'
import { sessionColumns, sessionRow } from './render/sessions.ts'
import { shortIds } from '../../state/session-title.ts'
import { bold, cyan, dim } from './render/span.ts'
import { table } from './render/table.ts'

const SHOWN = 5

const worthKnowing: readonly (readonly [string, string])[] = [
  ['reprise -p "…"', 'send a message in a new session'],
  ['reprise --continue -p "…"', 'go on with the nearest session'],
  ['reprise sessions list', 'all sessions'],
  ['reprise sessions undo @latest', 'take the last turn back'],
  ['reprise --help', 'everything else'],
]

export async function showStart(cli: Cli, given: Given): Promise<void> {
  const engine = await cli.engine()
  const isChosen = ['resume', 'connect', 'continue', 'cloud'].some((name) => given.has(name))
  if (isChosen) {
    const { id } = await chooseSession(cli, engine, given)
    cli.out.line('Session ', bold(id), ' is there. Send it a message:')
    cli.out.line('  ', cyan(`reprise --resume ${id.slice(0, 8)} -p "…"`))
    return
  }
  const here = await engine.project(cli.cwd)
  const { sessions: near } = await engine.nearest(here, { limit: SHOWN, onlyNear: true })
  if (cli.json) {
    cli.out.json({ sessions: near.map(({ bucket: _bucket, ...session }) => session) })
    return
  }
  cli.out.line(bold('Reprise'), dim(` ${cli.host.version} · ${cli.home.path}`))
  cli.out.line()
  if (near.length > 0) {
    const short = shortIds(near.map(({ id }) => id))
    const rows = near.map((session) => sessionRow(session, { short, now: cli.now() }))
    cli.out.line('Sessions of this directory')
    const shape = { columns: cli.out.columns, indent: 2, ...sessionColumns }
    for (const spans of table(rows, shape)) cli.out.line(...spans)
    cli.out.line()
  }
  for (const [command, about] of worthKnowing) {
    cli.out.line('  ', cyan(command.padEnd(32)), dim(about))
  }
}
