/** `home`. */
import type { Run } from '../command.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { copiesText } from '../copies-text.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli) => {
  const engine = await cli.engine()
  const [sessions, deleted, copies] = await Promise.all([
    engine.list(),
    engine.trash(),
    engine.copies(),
  ])
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0)
  const { path, source } = cli.home
  const { backend } = engine.fs
  if (cli.json) {
    cli.out.json({
      path,
      source,
      backend,
      sessions: sessions.length,
      logBytes: bytes,
      deleted: deleted.length,
      copies,
    })
    return
  }
  cli.out.line(bold(path), dim(` (${source}, ${backend})`))
  cli.out.line(`${counted(sessions.length, 'session')}, ${sizeText(bytes)} of logs`)
  const told = copiesText(copies)
  if (told !== undefined) cli.out.line(told)
  if (deleted.length > 0)
    cli.out.line(dim(`${counted(deleted.length, 'deleted session')} in the trash`))
}
