/** The model and the mode of a session, asked of an agent in whichever way it offers them. */
import type { Connection } from './connection.ts'
import { listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

/** What an agent said of its models and modes when a session began, and since. */
export type Offers = {
  options: readonly Fields[]
  models: Fields
  modes: Fields
  /** What was set otherwise when plan mode began. */
  beforePlan?: readonly { readonly id: string; readonly value: string }[]
}

export function offersOf(result: Fields): Offers {
  return {
    options: listIn(result, 'configOptions'),
    models: fieldsOf(result['models']),
    modes: fieldsOf(result['modes']),
  }
}

/** Agents change their own settings, too. */
export function learnOffers(offers: Offers, update: Fields): void {
  const options = listIn(update, 'configOptions')
  if (options.length > 0) offers.options = options
  const currentModeId = textIn(update, 'currentModeId')
  if (currentModeId === undefined) return
  offers.modes = { ...offers.modes, currentModeId }
  // It left plan mode by itself, and is where it wants to be.
  if (!isPlan(currentModeId)) delete offers.beforePlan
}

const modelOption = ({ options }: Offers): Fields | undefined =>
  options.find(({ category, type }) => category === 'model' && type === 'select')

export function currentModel(offers: Offers): string | undefined {
  const option = modelOption(offers)
  return option === undefined
    ? textIn(offers.models, 'currentModelId')
    : textIn(option, 'currentValue')
}

/** False when the agent has no such model; nothing was changed then. */
export async function chooseModel(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  wanted: string,
): Promise<boolean> {
  const names = (id: string | undefined) => id === wanted || id?.endsWith(`/${wanted}`) === true
  if (names(currentModel(offers))) return true
  const option = modelOption(offers)
  if (option !== undefined) {
    const value = valuesOf(option).find(names)
    if (value === undefined) return false
    const configId = textIn(option, 'id')
    const params = { sessionId, configId, value }
    const result = fieldsOf(await connection.request('session/set_config_option', params))
    const changed = listIn(result, 'configOptions')
    if (changed.length > 0) offers.options = changed
    return true
  }
  const modelId = listIn(offers.models, 'availableModels')
    .map((each) => textIn(each, 'modelId'))
    .find(names)
  if (modelId === undefined) return false
  await setModel(connection, sessionId, offers, modelId)
  return true
}

/** False when the agent has no such effort, or none at all; nothing was changed then. */
export async function chooseEffort(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  value: string,
): Promise<boolean> {
  const option = offers.options.find(({ category }) => category === 'thought_level')
  const id = textIn(option ?? {}, 'id')
  if (option === undefined || id === undefined || !valuesOf(option).includes(value)) return false
  await apply(connection, sessionId, offers, { id, value })
  return true
}

async function setModel(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  modelId: string,
): Promise<void> {
  await connection.request('session/set_model', { sessionId, modelId })
  offers.models = { ...offers.models, currentModelId: modelId }
}

/** Codex lists each model with each effort, and has an option for the model alone. */
const isListedAlone = (offers: Offers, option: Fields | undefined, value: string): boolean =>
  !(option !== undefined && valuesOf(option).includes(value)) &&
  listIn(offers.models, 'availableModels').some((each) => each['modelId'] === value)

/** A mode, or an option, and what it is to be. */
type Setting = { readonly id: string; readonly value: string }

/**
 * The agent's own means for plan mode; else the settings that it had before. What is allowed is decided here in any
 * mode. False when it has no such means.
 */
export async function chooseMode(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  { mode, plan }: { readonly mode: string; readonly plan?: readonly Setting[] | undefined },
): Promise<boolean> {
  if (mode !== 'plan') {
    const before = offers.beforePlan ?? []
    delete offers.beforePlan
    for (const setting of before) await apply(connection, sessionId, offers, setting)
    return true
  }
  const wanted = plan ?? planIn(offers)
  if (wanted.length === 0) return false
  const before = wanted.flatMap(({ id }) => currentOf(offers, id) ?? [])
  for (const setting of wanted) await apply(connection, sessionId, offers, setting)
  offers.beforePlan ??= before
  return true
}

const isPlan = (id: string | undefined): boolean => /(^|[^a-z])plan$/i.test(id ?? '')

/** A mode or the value of an option whose name ends so. */
function planIn(offers: Offers): Setting[] {
  const mode = modeIds(offers).find(isPlan)
  if (mode !== undefined) return [{ id: MODE, value: mode }]
  for (const option of offers.options) {
    const [id, value] = [textIn(option, 'id'), valuesOf(option).find(isPlan)]
    if (id !== undefined && value !== undefined) return [{ id, value }]
  }
  return []
}

/** Stands for the agent's mode, whichever way it is set. */
export const MODE = 'mode'

const modeIds = ({ modes }: Offers): string[] =>
  listIn(modes, 'availableModes').flatMap((each) => textIn(each, 'id') ?? [])

function currentOf(offers: Offers, id: string): Setting | undefined {
  const option = offers.options.find((each) => each['id'] === id)
  const value =
    option === undefined && id === MODE
      ? textIn(offers.modes, 'currentModeId')
      : textIn(option ?? {}, 'currentValue')
  return value === undefined ? undefined : { id, value }
}

/** Sets a mode or an option of the agent, unless it is so already. */
async function apply(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  { id, value }: { readonly id: string; readonly value: string | boolean },
): Promise<void> {
  if (id === MODE && typeof value === 'string' && modeIds(offers).includes(value)) {
    if (value === offers.modes['currentModeId']) return
    await connection.request('session/set_mode', { sessionId, modeId: value })
    offers.modes = { ...offers.modes, currentModeId: value }
    offers.options = offers.options.map((option) =>
      option['id'] === MODE ? { ...option, currentValue: value } : option,
    )
    return
  }
  const option = offers.options.find((each) => each['id'] === id)
  if (option === undefined) throw new Error(`It has no option "${id}".`)
  if (option['currentValue'] === value) return
  const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { value }
  const params = { sessionId, configId: id, ...typed }
  learnOffers(offers, fieldsOf(await connection.request('session/set_config_option', params)))
}

/** What a person chose. A model and a mode are set whichever way the agent has for them. */
export async function choose(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  { id, value }: { readonly id: string; readonly value: string | boolean },
): Promise<void> {
  const option = offers.options.find((each) => each['id'] === id)
  if (id === 'model' && typeof value === 'string' && isListedAlone(offers, option, value))
    return setModel(connection, sessionId, offers, value)
  if (id === 'model' && option === undefined && typeof value === 'string') {
    if (await chooseModel(connection, sessionId, offers, value)) return
    throw new Error(`It has no model "${value}".`)
  }
  const before = id === MODE ? currentOf(offers, MODE) : undefined
  await apply(connection, sessionId, offers, { id, value })
  if (id !== MODE) return
  // Where it goes back to when plan mode ends.
  if (!isPlan(String(value))) delete offers.beforePlan
  else if (before !== undefined && !isPlan(before.value)) offers.beforePlan = [before]
}

/** Nothing is sent to an agent that cannot be put into the mode in which it asks. */
export async function requireMode(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  { name, mode }: { readonly name: string; readonly mode: string },
): Promise<void> {
  try {
    if (!modeIds(offers).includes(mode)) throw new Error(`It has no mode "${mode}".`)
    await apply(connection, sessionId, offers, { id: MODE, value: mode })
  } catch (cause) {
    throw new Error(
      `${name} could not be put into its mode "${mode}", and nobody is there to be asked what it may do. Nothing was sent. Run it in a terminal, or give --allow-all.`,
      { cause },
    )
  }
}

function valuesOf(option: Fields): string[] {
  const groups = listIn(option, 'groups')
  const lists = [option, ...groups, ...listIn(option, 'options')].flatMap((each) =>
    listIn(each, 'options'),
  )
  return lists.flatMap((each) => textIn(each, 'value') ?? [])
}
