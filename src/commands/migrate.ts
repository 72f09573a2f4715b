/** `reprise migrate`: a whole home of the Copilot CLI, copied into this one. */
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { SESSIONS } from '../format/paths.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import type { Due } from '../importers/expiring-sessions.ts'
import type { Migrated } from '../importers/migrate.ts'
import { command, type CommandContext } from './command.ts'
import { sayPass } from './import.ts'
import { code, plain } from './markdown.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'copy a home of the Copilot CLI into this one: sessions, what was typed, plugins',
  changes: 'sessions',
  on: 'home',
  needs: 'machine',
  args: z.object({
    from: z.string().optional().describe('its home (default: $COPILOT_HOME, ~/.copilot)'),
    dryRun: z.boolean().optional().describe('only say what would come'),
  }),
  async run(context, { from, dryRun = false }): Promise<Migrated> {
    const { engine, machine, cwd, now } = context
    if (machine === undefined) throw new EngineError('invalid', 'Here is no machine to copy from.')
    const given = from ?? (machine.env['COPILOT_HOME'] || '~/.copilot')
    const root = resolve(cwd, given.replace(/^~(?=\/|$)/, machine.home))
    if (engine.fs.diskPath(SESSIONS) === join(root, SESSIONS))
      throw new EngineError(
        'invalid',
        `${root} is the home that is used here. Nothing was changed. --home names the one to copy into.`,
      )
    const { migrate: move } = await import('../importers/migrate.ts')
    const migrated = await move(engine, {
      root,
      around: machine,
      dryRun,
      now,
      onProgress: (text) => context.working?.(text),
      ...defined({ signal: context.waiting?.signal }),
    })
    context.working?.(undefined)
    return migrated
  },
  say(migrated) {
    const { typed, pluginFiles, left, from, dryRun } = migrated
    return [
      sayPass({ ...migrated, from: ['copilot'] }),
      '',
      `${counted(typed, 'message')} typed before and ${counted(pluginFiles, 'file')} of plugins ${dryRun ? 'would come' : 'came'} as well.`,
      ...left.map(({ name, why }) => `- left there: ${code(name)}: ${plain(why)}`),
      `Nothing in ${code(from)} was changed; the Copilot CLI goes on with it as before.`,
      'An older version of Reprise and the Copilot CLI read what came, too: what only this one knows is under .reprise/ of each session.',
    ].join('\n')
  },
})

export type DueSessions = Due

/** What other agents are about to purge and is not here yet. */
export async function dueOf({
  engine,
  machine,
  now,
}: Pick<CommandContext, 'engine' | 'machine' | 'now'>): Promise<readonly Due[]> {
  if (machine === undefined) return []
  const { duePurges } = await import('../importers/expiring-sessions.ts')
  return duePurges(engine, machine, now())
}
