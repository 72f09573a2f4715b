/** `blame`. */
import { relativeTime } from '../../../lib/quantities.ts'
import { findSession } from '../../../commands/find-session.ts'
import type { Run } from '../command.ts'
import { usage } from '../command.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const [, file, line] = /^(.+):(\d{1,9})$/s.exec(given.word(0) ?? '') ?? []
  if (file === undefined || line === undefined)
    throw usage('blame wants a file and a line, as src/main.ts:12.')
  const engine = await cli.engine()
  const only = given.text('session')
  const answer = await engine.blame({
    file,
    line: Number(line),
    cwd: cli.cwd,
    ...(only !== undefined && { session: await findSession(cli, engine, only) }),
  })
  if (cli.json) return cli.out.json(answer)
  if (answer.kind === 'unknown') return cli.out.line(answer.reason)
  cli.out.line(bold(answer.prompt))
  cli.out.line(
    dim(
      `${answer.sessionId.slice(0, 8)} ${answer.sessionName ?? ''} · ${relativeTime(answer.at, cli.now())} · turn ${answer.eventId}`,
    ),
  )
  const others = answer.alongside?.length ?? 0
  if (others > 0)
    cli.out.line(
      dim(
        `${others === 1 ? 'Another call' : `${others} other calls`} ran meanwhile and may have written it.`,
      ),
    )
}
