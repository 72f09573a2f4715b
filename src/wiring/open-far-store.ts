/** The store of the Mission Control that a home has joined; undefined where it has joined none. */
import { featureOff } from '../commands/features.ts'
import { isOn } from '../config/features.ts'
import { readConfig } from '../config/load.ts'
import { openDisk } from '../fs/disk.ts'
import type { FarStore } from '../store/far-store.ts'
import { controlOf } from './control-address.ts'

export async function openFarStoreOf(
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<FarStore | undefined> {
  const config = await readConfig(openDisk(home))
  const address = controlOf(config, env)
  if (address === undefined) return undefined
  if (!isOn(config, 'cloudSessionStore')) throw featureOff('cloudSessionStore')
  return (await import('../remote/far-store.ts')).openFarStore(address)
}
