/** `export`: a session as one redacted file, on disk or on stdout. */
import { resolve } from 'node:path'
import type { Run } from '../command.ts'
import { usage } from '../command.ts'
import { findSession } from '../../../commands/find-session.ts'
import type { exportOptions } from '../server-options.ts'
import { defined } from '../../../lib/defined.ts'

export const run: Run = async (cli, given) => {
  const { html, markdown, output = '-' } = given.all<typeof exportOptions>()
  const formats = [html && 'html', markdown && 'markdown', cli.json && 'json'] as const
  const [format = 'html', ...more] = formats.filter((each) => typeof each === 'string')
  if (more.length > 0) throw usage('Give one of --html, --markdown and --json.')
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const file = output === '-' ? undefined : resolve(cli.cwd, output)
  const text = await cli.host.exportSession(engine, { id, format, ...defined({ file }) })
  if (file === undefined) await cli.out.bytes(Buffer.from(text))
}
