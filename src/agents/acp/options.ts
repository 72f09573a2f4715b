/** What can be chosen in an agent: its modes, its models and its options, in one list whichever way it tells them. */
import type { AgentOption, AgentOptions } from '../../engine/agent.ts'
import { defined } from '../../lib/defined.ts'
import { listIn, textIn, type Fields } from '../../lib/fields.ts'
import { MODE, type Offers } from './agent-settings.ts'

export function optionsOf(offers: Offers): AgentOptions {
  const { options, modes, models } = offers
  const has = (category: string) => options.some((each) => each['category'] === category)
  return {
    options: [
      ...(has('mode') ? [] : fromModes(modes)),
      ...(has('model') ? [] : fromModels(models)),
      ...options.flatMap(fromOption).map((option) => withModels(option, models)),
    ],
    acp: { modes, models, configOptions: options },
  }
}

function fromModes(modes: Fields): AgentOption[] {
  const value = textIn(modes, 'currentModeId')
  if (value === undefined) return []
  const values = listIn(modes, 'availableModes').flatMap((each) => valueIn(each, 'id'))
  return [{ id: MODE, name: 'Mode', category: 'mode', value, values }]
}

function fromModels(models: Fields): AgentOption[] {
  const value = textIn(models, 'currentModelId')
  if (value === undefined) return []
  const values = listIn(models, 'availableModels').flatMap((each) => valueIn(each, 'modelId'))
  return [{ id: 'model', name: 'Model', category: 'model', value, values }]
}

/** Some list their models once more, each with each effort; those can be chosen as well. */
function withModels(option: AgentOption, models: Fields): AgentOption {
  if (option.id !== 'model' || option.values === undefined) return option
  const known = new Set(option.values.map(({ value }) => value))
  const more = fromModels(models).flatMap(({ values = [] }) => values)
  return { ...option, values: [...option.values, ...more.filter(({ value }) => !known.has(value))] }
}

function fromOption(option: Fields): AgentOption[] {
  const { id, name, description, category, currentValue: value } = option
  if (typeof id !== 'string') return []
  const about = {
    id,
    name: typeof name === 'string' ? name : id,
    ...(typeof description === 'string' && { description }),
    ...(typeof category === 'string' && { category }),
  }
  if (typeof value === 'boolean') return [{ ...about, value }]
  const lists = [option, ...listIn(option, 'groups'), ...listIn(option, 'options')]
  const values = lists
    .flatMap((each) => listIn(each, 'options'))
    .flatMap((each) => valueIn(each, 'value'))
  return [{ ...about, value: String(value), values }]
}

function valueIn(each: Fields, key: string): NonNullable<AgentOption['values']>[number][] {
  const value = textIn(each, key)
  if (value === undefined) return []
  const description = textIn(each, 'description')
  return [{ value, name: textIn(each, 'name') ?? value, ...defined({ description }) }]
}
