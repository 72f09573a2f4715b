/** Which commands of projects a user has looked at and allowed: kept in their configuration, by the hash of each text. */
import { changeConfig } from '../config/change-config.ts'
import { readConfig } from '../config/load.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { TuiOptions } from '../surfaces/tui/options.ts'

export function allowedCommandsIn(fs: SessionFs): TuiOptions['allowedCommands'] {
  const allowed = async () => (await readConfig(fs)).projectCommands?.allowed ?? []
  return {
    has: async (digest) => (await allowed()).includes(digest),
    async add(digests) {
      await changeConfig(fs, (now) => {
        const all = [...new Set([...(now.projectCommands?.allowed ?? []), ...digests])]
        return { ...now, projectCommands: { allowed: all } }
      })
    },
  }
}
