/** What an agent can do, as far as a session needs to know. Absent, null and false all mean no. */
import { fieldsOf, type Fields } from '../../lib/fields.ts'

export type Abilities = {
  readonly load: boolean
  readonly resume: boolean
  readonly close: boolean
  readonly fork: boolean
  readonly delete: boolean
  readonly systemPrompt: boolean
  readonly embeddedContext: boolean
  readonly image: boolean
  readonly audio: boolean
}

export function abilitiesOf(capabilities: Fields): Abilities {
  const session = fieldsOf(capabilities['sessionCapabilities'])
  const prompt = fieldsOf(capabilities['promptCapabilities'])
  const has = (value: unknown) => value !== undefined && value !== null && value !== false
  return {
    load: capabilities['loadSession'] === true,
    resume: has(session['resume']),
    close: has(session['close']),
    fork: has(session['fork']),
    delete: has(session['delete']),
    systemPrompt: has(session['systemPrompt']),
    embeddedContext: prompt['embeddedContext'] === true,
    image: prompt['image'] === true,
    audio: prompt['audio'] === true,
  }
}

/** Everything that it advertises, one word each, for people. */
export function spokenAbilities(capabilities: Fields): string[] {
  const session = Object.entries(fieldsOf(capabilities['sessionCapabilities']))
  const prompt = Object.entries(fieldsOf(capabilities['promptCapabilities']))
  const named = ([name, value]: [string, unknown]) =>
    name !== '_meta' && value !== null && value !== undefined && value !== false ? [name] : []
  return [
    ...(capabilities['loadSession'] === true ? ['load'] : []),
    ...session.flatMap(named),
    ...prompt.flatMap(named),
  ]
}
