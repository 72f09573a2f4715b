/** `home`. */
import type { Run } from '../command.ts'
import { attempt } from '../../../lib/each-apart.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { copiesText } from '../copies-text.ts'
import { tellUnusable } from '../render/sessions.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli) => {
  const engine = await cli.engine()
  const sessions = await engine.list()
  const { unusable } = await engine.unlisted()
  const trash = await attempt(() => engine.trash())
  const deleted = 'ok' in trash ? trash.ok : []
  const copies = await engine.copies()
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
      unusable,
    })
    return
  }
  cli.out.line(bold(path), dim(` (${source}, ${backend})`))
  cli.out.line(`${counted(sessions.length, 'session')}, ${sizeText(bytes)} of logs`)
  const told = copiesText(copies)
  if (told !== undefined) cli.out.line(told)
  if (deleted.length > 0)
    cli.out.line(dim(`${counted(deleted.length, 'deleted session')} in the trash`))
  tellUnusable(cli, unusable)
  if ('reason' in trash) cli.out.note(`The trash cannot be read: ${trash.reason}`)
}
