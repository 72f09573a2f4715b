/** `forget`: shows where a text stands, asks, and takes it out. */
import { sayForgotten } from '../../../commands/forget.ts'
import { defined } from '../../../lib/defined.ts'
import { counted } from '../../../lib/quantities.ts'
import { confirm, readAll } from '../ask.ts'
import type { Run } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { findSession } from '../../../commands/find-session.ts'

export const run: Run = async (cli, given) => {
  const word = given.word(0) ?? ''
  const text = word === '-' ? (await readAll(cli.host.stdin, cli.signal)).replace(/\n$/, '') : word
  const engine = await cli.engine()
  const name = given.text('session')
  const sessions = name === undefined ? undefined : [await findSession(cli, engine, name)]
  const query = { text, isPattern: given.flag('pattern'), ...defined({ sessions }) }
  const planned = await engine.forget(query, { dryRun: true })
  const show = (lines: readonly string[]) =>
    lines.forEach((line) => cli.out.line(line.replaceAll('`', '')))
  if (given.flag('dryRun') || planned.places === 0) {
    if (cli.json) cli.out.json(planned)
    else show(sayForgotten(planned))
    return planned.places === 0 ? exitCodes.not_found : OK
  }
  if (!cli.json) show(sayForgotten(planned).slice(0, -1))
  await confirm(
    cli,
    `Forget it in ${counted(planned.places, 'place')}, for good?`,
    given.flag('yes'),
  )
  const done = await engine.forget(query, { dryRun: false })
  if (cli.json) cli.out.json(done)
  else show(sayForgotten(done).slice(-1))
  for (const { reason } of done.kept) cli.out.note(reason)
  return done.kept.length === 0 ? OK : exitCodes.in_use
}
