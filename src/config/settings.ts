/** One setting of a configuration by its dotted name: read, set, taken away. Pure. */
import { checkConfig } from './config-file.ts'
import type { Config } from './config-file.ts'

type Values = Readonly<Record<string, unknown>>

export function getSetting(config: Config, name: string): unknown {
  let value: unknown = config
  for (const key of keysOf(name)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Values)[key]
  }
  return value
}

/** The value is JSON where it is JSON, else text. The whole is checked before it is taken. */
export function setSetting(config: Config, name: string, text: string, path: string): Config {
  return checkConfig(put(config, keysOf(name), valueOf(text)), path)
}

export function unsetSetting(config: Config, name: string, path: string): Config {
  return checkConfig(put(config, keysOf(name), undefined), path)
}

function keysOf(name: string): string[] {
  const keys = name.split('.')
  if (keys.some((key) => key === '' || key === '__proto__'))
    throw new TypeError(`"${name}" is not the name of a setting.`)
  return keys
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A word without quotation marks: the schema says whether it may be one.
    return text
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
