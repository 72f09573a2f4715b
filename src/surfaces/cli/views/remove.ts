/** What goes to the trash is shown before it is asked about; what could not go there decides the exit code. */
import type { deleteSession, prune } from '../../../commands/remove.ts'
import { shortIds } from '../../../state/session-title.ts'
import { usage, type Cli, type View } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { sessionColumns, sessionRow } from '../render/sessions.ts'
import { table } from '../render/table.ts'

type Result<C extends { run(...given: never): unknown }> = Awaited<ReturnType<C['run']>>

export const deleteView: View<Result<typeof deleteSession>> = {
  code(result) {
    const kept = 'asked' in result ? [] : result.sessions
    const first = kept.find((each) => each.outcome === 'kept')
    return first?.outcome === 'kept' ? exitCodes[first.error.code] : OK
  },
}

export const pruneView: View<Result<typeof prune>> = {
  async before(cli, given, { run }) {
    if (given.text('days') === undefined)
      throw usage('How old? Say it with --days <n>. Nothing was deleted.')
    if (!cli.json) showSessions(cli, (await run({ dryRun: true })).sessions)
  },
  code: ({ failed }) => (failed.length === 0 ? OK : exitCodes.corrupt),
}

function showSessions(
  { out, now }: Cli,
  sessions: readonly Parameters<typeof sessionRow>[0][],
): void {
  const short = shortIds(sessions.map(({ id }) => id))
  const rows = sessions.map((session) => sessionRow(session, { short, now: now() }))
  const shape = { columns: out.columns, indent: 2, ...sessionColumns }
  for (const spans of table(rows, shape)) out.line(...spans)
}
