/** `remote kickstart`: whether new sessions of this machine may be started from Mission Control, project by project. */
import { z } from 'zod'
import { changeConfig } from '../config/change-config.ts'
import { EngineError } from '../engine/errors.ts'
import { command } from './command.ts'
import { plain } from './markdown.ts'
import { remoteOf } from './remote.ts'

type Kickstart =
  | { readonly asked: string }
  | { readonly isAllowed: boolean; readonly repository: string; readonly cwd: string }

export const remoteKickstart = command({
  name: 'remote kickstart',
  summary: 'let new sessions in this project be started from Mission Control',
  changes: 'settings',
  on: 'home',
  args: z.object({
    off: z.boolean().optional().describe('no more'),
    yes: z.boolean().optional().describe('do not ask'),
  }),
  async run(context, { off = false, yes = false }): Promise<Kickstart> {
    const { engine } = context
    const remote = await remoteOf(context)
    const { repository, gitRoot } = await engine.project(context.cwd)
    if (repository === undefined || gitRoot === undefined)
      throw new EngineError(
        'invalid',
        'This directory is in no repository that has a remote: nobody could name it from afar. Nothing was changed.',
      )
    if (!off && !yes)
      return {
        asked: `Whoever signs in at ${remote.url} as you can then have an agent begin to work in ${gitRoot}, with the rules of this machine. Allow it?`,
      }
    await changeConfig(engine.fs, (now) => {
      const { [repository]: _before, ...others } = now.control?.kickstart ?? {}
      const kickstart = off ? others : { ...others, [repository]: gitRoot }
      return {
        ...now,
        control: { ...now.control, kickstart },
        ...(!off && { features: { ...now.features, remoteKickstart: true } }),
      }
    })
    return { isAllowed: !off, repository, cwd: gitRoot }
  },
  say: (result) =>
    'asked' in result
      ? `${result.asked} Nothing was changed: with --yes it is.`
      : result.isAllowed
        ? `Sessions in ${plain(result.repository)} can be started from afar, in ${plain(result.cwd)}, while "reprise" or "reprise web" runs here: \`reprise tasks start --machine <this machine> -p …\` elsewhere. What is open already has to be started again for that.`
        : `No session in ${plain(result.repository)} is started from afar any more by what starts from now on.`,
})
