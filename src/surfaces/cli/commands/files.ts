/** `sessions files`. */
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { relativeTime, sizeText } from '../../../lib/quantities.ts'
import { dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const path = given.word(1)
  if (path !== undefined) {
    const bytes = await (await engine.open(id)).readFile(path)
    if (cli.json)
      cli.out.json({ path, size: bytes.length, base64: Buffer.from(bytes).toString('base64') })
    else await cli.out.bytes(bytes)
    return
  }
  const files = (await (await engine.open(id)).files()).map((file) => ({
    path: file.path,
    size: file.size,
    modifiedAt: new Date(file.mtimeMs).toISOString(),
  }))
  if (cli.json) {
    cli.out.json({ files })
    return
  }
  const rows = files.map((file) => [
    file.path,
    sizeText(file.size),
    dim(relativeTime(file.modifiedAt, cli.now())),
  ])
  const shape = { columns: cli.out.columns, shrink: 0, right: [1] }
  for (const spans of table(rows, shape)) cli.out.line(...spans)
  if (files.length === 0) cli.out.line('The session has no files of its own.')
}
