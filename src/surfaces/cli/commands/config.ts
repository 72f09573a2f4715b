/** `config`. */
import { changeConfig } from '../../../config/change-config.ts'
import { readConfig, CONFIG } from '../../../config/load.ts'
import { BadSetting, getSetting, setSetting, unsetSetting } from '../../../config/settings.ts'
import { ruleTroubles } from '../../../config/rule-texts.ts'
import { BadConfig } from '../../../config/config-file.ts'
import { EngineError } from '../../../engine/errors.ts'
import { didYouMean } from '../../../lib/nearest.ts'
import { dim, yellow } from '../render/span.ts'
import { usage, type Cli, type Run } from '../command.ts'
import { ownConfig } from '../own-config.ts'

export const run: Run = async (cli, given) => {
  const { fs } = await cli.engine()
  const [action, setting, value] = [given.word(0), given.word(1), given.word(2)]
  const path = fs.nativePath(CONFIG)
  try {
    if (action === 'path') return print(cli, path)
    const config = await readConfig(fs)
    if (action === undefined) {
      print(cli, await ownConfig(config, [], cli.host.env))
      if (Object.keys(config).length === 0) cli.out.note(dim(UNSET))
      return
    }
    if (!ACTIONS.includes(action)) throw wrong(wrongAction(action))
    if (setting === undefined)
      throw wrong(`config ${action} wants the name of a setting, as model.name. ${NOTHING}`)
    if (action === 'get') {
      const set = getSetting(config, setting)
      if (set === undefined && !cli.json) return cli.out.note(dim(`${setting} is not set.`))
      return print(cli, await ownConfig(set ?? null, setting.split('.'), cli.host.env))
    }
    if (action === 'unset') {
      await changeConfig(fs, (now) => unsetSetting(now, setting, path))
      return cli.out.note(dim(`${setting} is not set any more, in ${path}.`))
    }
    if (value === undefined) throw wrong(`config set wants a value. ${NOTHING}`)
    await changeConfig(fs, (now) => setSetting(now, setting, value))
    cli.out.note(dim(`${setting} is set, in ${path}.`))
    for (const told of ruleTroubles(await readConfig(fs)))
      if (told.startsWith(setting)) cli.out.note(yellow('! '), told)
  } catch (cause) {
    if (!(cause instanceof BadConfig || cause instanceof BadSetting)) throw cause
    throw new EngineError('invalid', cause.message, { cause })
  }
}

const ACTIONS = ['get', 'set', 'unset', 'path']

const UNSET =
  'Nothing is set yet. "reprise config set agent claude" chooses who answers; "reprise agents" lists who could.'

const NOTHING = 'Nothing was changed.'

const wrong = (message: string) =>
  usage(`${message}\nUsage: reprise config [action] [setting] [value] [options]`)

const wrongAction = (action: string) =>
  `config knows ${ACTIONS.join(', ')}, not "${action}".${didYouMean(action, ACTIONS)} ${NOTHING}`

function print({ out, json }: Cli, value: unknown): void {
  if (!json && typeof value === 'string') out.line(value)
  else out.json(value)
}
