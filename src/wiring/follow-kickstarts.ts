/** Lets a person start sessions here from afar, while a process runs that stays: where the settings allow it, and not otherwise. */
import { isOn } from '../config/features.ts'
import { readConfig } from '../config/load.ts'
import type { Engine } from '../engine/engine.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { controlOf } from './control-address.ts'

/** `open`: the engine in which they begin; it is not asked for where none may. */
export async function followKickstarts(
  { fs, open }: { readonly fs: SessionFs; open(): Engine },
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const config = await readConfig(fs)
  const address = controlOf(config, env)
  const projects = config.control?.kickstart ?? {}
  const isWanted = isOn(config, 'remoteKickstart') && Object.keys(projects).length > 0
  if (address === undefined || !isWanted) return
  const [{ takeKickstarts }, { openServer }] = await Promise.all([
    import('../remote/kickstart.ts'),
    import('../remote/control-client.ts'),
  ])
  await takeKickstarts({ engine: open(), server: openServer(address), projects, signal })
}
