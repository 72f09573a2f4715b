/** `/session info`: what is known about the session. */
import { z } from 'zod'
import { command } from './command.ts'
import { code } from './markdown.ts'
import { counted, sizeText } from '../lib/quantities.ts'

export const sessionInfo = command({
  name: 'session info',
  summary: 'what is known about this session',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    const [about, state] = await Promise.all([session.metadata(), session.state()])
    const { model, mode, turns } = state
    return { ...about, model, mode, turns: turns.length }
  },
  say({ id, name, path, cwd, branch, model, mode, turns, folderBytes, checkpoints, ...more }) {
    const { holder, rewound } = more
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['id', id],
      ['name', name],
      ['directory', cwd],
      ['branch', branch],
      ['model', model],
      ['mode', mode],
      ['turns', String(turns)],
      ['checkpoints', String(checkpoints)],
      ['taken back', rewound === 0 ? undefined : `${counted(rewound, 'time')}, kept for /redo`],
      ['folder', `${path} (${sizeText(folderBytes)})`],
      ['open in', holder && `${holder.label}, pid ${holder.pid} on ${holder.host}`],
    ]
    return rows
      .flatMap(([what, value]) => (value === undefined ? [] : [`- **${what}** ${code(value)}`]))
      .join('\n')
  },
})
