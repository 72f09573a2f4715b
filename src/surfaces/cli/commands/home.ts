/** `home`. */
import type { Run } from '../command.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli) => {
  const engine = await cli.engine()
  const [sessions, deleted] = await Promise.all([engine.list(), engine.trash()])
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
    })
    return
  }
  cli.out.line(bold(path), dim(` (${source}, ${backend})`))
  cli.out.line(`${counted(sessions.length, 'session')}, ${sizeText(bytes)} of logs`)
  if (deleted.length > 0)
    cli.out.line(dim(`${counted(deleted.length, 'deleted session')} in the trash`))
}
