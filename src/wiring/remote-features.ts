/** Mission Control without what the settings turn off: that is refused in words, for every surface alike. */
import { featureOff } from '../commands/features.ts'
import type { Config } from '../config/config-file.ts'
import { isOn } from '../config/features.ts'
import type { Feature } from '../config/feature-names.ts'
import type { Remote } from '../remote/remote.ts'

export function withFeatures(remote: Remote, config: Config): Remote {
  const copies = isOn(config, 'sessionIndexing') ? {} : withoutCopies(remote)
  return { ...remote, ...copies, ...(!isOn(config, 'cloudSessions') && { tasks: noTasks }) }
}

const refusing = (name: Feature) => async (): Promise<never> => {
  throw featureOff(name)
}

const withoutCopies = (remote: Remote): Pick<Remote, 'set' | 'sync' | 'withoutCopy'> => ({
  set: (id, mode, link) =>
    mode === 'off' ? remote.set(id, mode, link) : refusing('sessionIndexing')(),
  sync: refusing('sessionIndexing'),
  withoutCopy: async () => 0,
})

const refuse = refusing('cloudSessions')

const noTasks: Remote['tasks'] = {
  draft: refuse,
  place: refuse,
  start: refuse,
  list: refuse,
  show: refuse,
  cancel: refuse,
  archive: refuse,
  workers: refuse,
}
