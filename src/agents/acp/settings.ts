/** The model and the mode of a session, asked of an agent in whichever way it offers them. */
import type { Connection } from './connection.ts'
import { listIn, fieldsOf, textIn } from '../../lib/fields.ts'
import type { Fields } from '../../lib/fields.ts'

/** What an agent said of its models and modes when a session began, and since. */
export type Offers = {
  options: readonly Fields[]
  models: Fields
  modes: Fields
  readonly firstMode: string | undefined
}

export function offersOf(result: Fields): Offers {
  const modes = fieldsOf(result['modes'])
  return {
    options: listIn(result, 'configOptions'),
    models: fieldsOf(result['models']),
    modes,
    firstMode: textIn(modes, 'currentModeId'),
  }
}

/** Agents change their own settings, too. */
export function learnOffers(offers: Offers, update: Fields): void {
  const options = listIn(update, 'configOptions')
  if (options.length > 0) offers.options = options
  const currentModeId = textIn(update, 'currentModeId')
  if (currentModeId !== undefined) offers.modes = { ...offers.modes, currentModeId }
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
  await connection.request('session/set_model', { sessionId, modelId })
  offers.models = { ...offers.models, currentModelId: modelId }
  return true
}

/** Plan mode where the agent has one; else the mode that it began in. What is allowed is decided here in any mode. */
export async function chooseMode(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  mode: string,
): Promise<void> {
  const ids = listIn(offers.modes, 'availableModes').map((each) => textIn(each, 'id'))
  const wanted =
    mode === 'plan' ? ids.find((id) => /(^|[^a-z])plan$/i.test(id ?? '')) : offers.firstMode
  if (wanted === undefined || wanted === offers.modes['currentModeId']) return
  await connection.request('session/set_mode', { sessionId, modeId: wanted })
  offers.modes = { ...offers.modes, currentModeId: wanted }
}

/** Nothing is sent to an agent that cannot be put into the mode in which it asks. */
export async function requireMode(
  connection: Connection,
  sessionId: string,
  offers: Offers,
  { name, mode }: { readonly name: string; readonly mode: string },
): Promise<void> {
  if (offers.modes['currentModeId'] === mode) return
  const isOffered = listIn(offers.modes, 'availableModes').some(({ id }) => id === mode)
  try {
    if (!isOffered) throw new Error(`It has no mode "${mode}".`)
    await connection.request('session/set_mode', { sessionId, modeId: mode })
  } catch (cause) {
    throw new Error(
      `${name} could not be put into its mode "${mode}", and nobody is there to be asked what it may do. Nothing was sent. Run it in a terminal, or give --allow-all.`,
      { cause },
    )
  }
  offers.modes = { ...offers.modes, currentModeId: mode }
}

function valuesOf(option: Fields): string[] {
  const groups = listIn(option, 'groups')
  const lists = [option, ...groups, ...listIn(option, 'options')].flatMap((each) =>
    listIn(each, 'options'),
  )
  return lists.flatMap((each) => textIn(each, 'value') ?? [])
}
