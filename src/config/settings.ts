/** One setting of a configuration by its dotted name: read, set, taken away. Pure. */
import { z } from 'zod'
import { checkConfig, configSchema, type Config } from './config-file.ts'
import { brokenRule } from './rule-texts.ts'
import { findSetting, nearestSetting, settingNames, wants, type Setting } from './setting-names.ts'

type Values = Readonly<Record<string, unknown>>

/** A name or a value that cannot be; the sentence says what could. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

export function getSetting(config: Config, name: string): unknown {
  const value = valueAt(config, keysOf(name))
  if (value === undefined) known(name)
  return value
}

/** The value is JSON where that fits, else text. It is checked, and the whole with it, before it is taken. */
export function setSetting(config: Config, name: string, text: string): Config {
  const setting = known(name)
  const whole = put(config, setting.keys, valueFor(name, setting, text))
  const { error, data } = configSchema.safeParse(whole)
  if (data !== undefined) return checkedRules(withoutKeys(data), name)
  const path = error.issues[0]?.path.join('.') ?? name
  const other = findSetting(path)
  throw new BadSetting(
    `${path} wants ${other === undefined ? 'another value' : wants(other.schema)}. Nothing was changed. Set what belongs together at once, as JSON.`,
  )
}

/** A key in place of the name of the variable that holds it would stand in the file, and be looked for in vain. */
function withoutKeys(config: Config): Config {
  const wrong = ['model.apiKeyEnv', 'search.embedding.apiKeyEnv', 'github.tokenEnv'].find(
    (name) => {
      const value = valueAt(config, name.split('.'))
      return value !== undefined && !/^[A-Za-z_]\w*$/.test(String(value))
    },
  )
  if (wrong === undefined) return config
  throw new BadSetting(
    `${wrong} wants the name of a variable of the environment, as OPENAI_API_KEY: no key stands in the file. Nothing was changed.`,
  )
}

/** Only the list that is set: another one that is broken is mended by itself. */
function checkedRules(config: Config, name: string): Config {
  const { allow, deny } = config.permissions ?? {}
  const set = {
    ...(/^permissions(?:\.allow)?$/.test(name) && { allow }),
    ...(/^permissions(?:\.deny)?$/.test(name) && { deny }),
  }
  const broken = brokenRule({ ...config, permissions: set })
  if (broken !== undefined) throw new BadSetting(`${broken} Nothing was changed.`)
  return config
}

/** What the file has and nobody knows can be taken away, too. */
export function unsetSetting(config: Config, name: string, path: string): Config {
  const keys = keysOf(name)
  if (valueAt(config, keys) === undefined) known(name)
  return checkConfig(put(config, keys, undefined), path)
}

function known(name: string): Setting {
  const setting = findSetting(name)
  if (setting !== undefined) return setting
  const near = nearestSetting(name)
  throw new BadSetting(
    `There is no setting "${name}". ${
      near === undefined ? `There are ${namesBeside(name).join(', ')}.` : `Did you mean ${near}?`
    } Nothing was changed.`,
  )
}

/** Those of its group; those of the file where its first word is no group. */
function namesBeside(name: string): readonly string[] {
  const names = settingNames()
  const [group] = name.split('.')
  const inside = names.filter((each) => each.startsWith(`${group}.`))
  return inside.length > 0 ? inside : names.filter((each) => !each.includes('.'))
}

function valueFor(name: string, { schema }: Setting, text: string): unknown {
  for (const value of [...jsonIn(text), text]) {
    if (z.safeParse(schema, value).success) return value
  }
  // What may hold a key is not said again.
  const given = /headers|env\b|args|url/i.test(name) ? '' : `, not ${text}`
  throw new BadSetting(`${name} wants ${wants(schema)}${given}. Nothing was changed.`)
}

const keysOf = (name: string): readonly string[] => findSetting(name)?.keys ?? name.split('.')

function valueAt(config: Config, keys: readonly string[]): unknown {
  let value: unknown = config
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Values)[key]
  }
  return value
}

function jsonIn(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    // It is text then.
    return []
  }
}

function put(values: Values, [key = '', ...rest]: readonly string[], value: unknown): Values {
  const old = values[key]
  const inner =
    typeof old === 'object' && old !== null && !Array.isArray(old) ? (old as Values) : {}
  const next = rest.length === 0 ? value : put(inner, rest, value)
  const { [key]: _old, ...others } = values
  return next === undefined ? others : { ...others, [key]: next }
}
