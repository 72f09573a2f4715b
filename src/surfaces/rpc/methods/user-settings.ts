/** The user's own settings, those of `reprise config`, by their dotted names. */
import { z } from 'zod'
import { BadSetting, getSetting, setSetting, unsetSetting } from '../../../config/settings.ts'
import { changeConfig } from '../../../config/change-config.ts'
import { CONFIG, readConfig } from '../../../config/load.ts'
import { settingNames } from '../../../config/setting-names.ts'
import type { Config } from '../../../config/config-file.ts'
import { EngineError } from '../../../engine/errors.ts'
import { method, type Methods } from '../method.ts'

export const userSettingsMethods: Methods = {
  'user.settings.get': method(
    'Every setting: what it is now, and whether that is what it is without being set.',
    async ({ server }) => {
      const config = await readConfig(server.parts.catalogue.fs)
      const names = settingNames().filter((name) => !name.includes('<'))
      return {
        settings: Object.fromEntries(
          names.map((name) => {
            const value = getSetting(config, name) ?? null
            return [name, { value, default: null, isDefault: value === null }]
          }),
        ),
      }
    },
  ),
  'user.settings.set': method(
    'Sets some of them; null takes one away. Either all are set, or none. Servers that run go on with what they have.',
    { settings: z.record(z.string(), z.unknown()) },
    async ({ server }, { settings }) => {
      const { fs } = server.parts.catalogue
      await changeConfig(fs, (now) => withSettings(now, settings, fs.nativePath(CONFIG)))
      return { shadowedKeys: [] }
    },
  ),
}

function withSettings(before: Config, settings: Readonly<Record<string, unknown>>, path: string) {
  try {
    return Object.entries(settings).reduce(
      (config, [name, value]) =>
        value === null
          ? unsetSetting(config, name, path)
          : setSetting(config, name, typeof value === 'string' ? value : JSON.stringify(value)),
      before,
    )
  } catch (error) {
    if (error instanceof BadSetting) throw new EngineError('invalid', error.message)
    throw error
  }
}
