/**
 * The agent behind a session, as far as a client chooses in it: it comes up when the session opens, and its modes, models
 * and options are offered as they are, with ours beside them under names of their own.
 */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { AgentOptions } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { errorText } from '../../lib/error-text.ts'
import { fieldsOf, listIn, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import { RpcFailure } from '../../lib/json-rpc/failure.ts'
import { AUTH_REQUIRED } from './failures.ts'
import type { AcpProjection } from './projection.ts'
import { configOptionsOf, modesOf } from './config-options.ts'

/** Brings the agent up. That a person must log in first is told as the protocol has it; anything else by the turn. */
export async function reachAgent(
  engine: Engine,
  id: SessionId,
  signal: AbortSignal,
): Promise<AgentOptions | undefined> {
  const session = await engine.open(id)
  try {
    await session.startAgent(signal)
    return await session.agentOptions()
  } catch (error) {
    if (wantsLogin(error)) throw new RpcFailure(AUTH_REQUIRED, errorText(error))
    return undefined
  }
}

/** Somewhere behind what is said to people stands what the agent said. */
function wantsLogin(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth++)
    if ((each as { readonly code?: unknown }).code === AUTH_REQUIRED) return true
  return false
}

type Settings = AcpProjection['settings']

/** Its own modes where it has some. */
export function modesWith(settings: Settings, theirs: AgentOptions | undefined): SessionModeState {
  const modes = fieldsOf(theirs?.acp['modes'])
  const own = modesOf(settings)
  if (listIn(modes, 'availableModes').length === 0) return own
  const ids = new Set(listIn(modes, 'availableModes').map(({ id }) => id))
  return {
    ...(modes as unknown as SessionModeState),
    availableModes: [
      ...(modes as unknown as SessionModeState).availableModes,
      ...own.availableModes
        .filter(({ id }) => !ids.has(id))
        .map((mode) => ({ ...mode, name: `Reprise: ${mode.name}` })),
    ],
  }
}

/** Its own options as it told them; of ours those that it has no word for, and our modes. */
export function optionsWith(
  settings: Settings,
  models: readonly string[],
  theirs: AgentOptions | undefined,
): readonly (SessionConfigOption | Fields)[] {
  const own = configOptionsOf(settings, models)
  if (theirs === undefined) return own
  const told = objectsOf(theirs.acp['configOptions'])
  const made = theirs.options
    .filter(({ id }) => !told.some((each) => each['id'] === id))
    .map(({ id, name, category, value, values = [] }) => ({
      id,
      name,
      category,
      type: 'select',
      currentValue: value,
      options: values,
    }))
  const categories = new Set(theirs.options.map(({ category }) => category))
  const isLeft = ({ id, category }: SessionConfigOption) =>
    id !== 'mode' &&
    !categories.has(category ?? undefined) &&
    !told.some((each) => each['id'] === id)
  // The effort of a model of theirs is theirs to offer.
  const left = categories.has('model') ? [] : own.filter(isLeft)
  const mode = own.filter(({ id }) => id === 'mode')
  return [
    ...made,
    ...told,
    ...left,
    ...(categories.has('mode')
      ? mode.map((option) => ({
          ...option,
          id: OWN_MODE,
          name: 'Reprise: mode',
          category: 'reprise',
        }))
      : mode),
  ]
}

/** Ours, beside a mode of the agent. */
export const OWN_MODE = 'reprise:mode'

export const offers = (theirs: AgentOptions | undefined, id: string, value: unknown): boolean =>
  theirs?.options.some(
    (option) =>
      option.id === id &&
      (option.values === undefined || option.values.some((each) => each.value === value)),
  ) ?? false

/** Its models as it lists them besides its options, where it does. */
export const modelsOf = (theirs: AgentOptions | undefined): readonly Fields[] =>
  listIn(fieldsOf(theirs?.acp['models']), 'availableModels')

export const isModeOf = (theirs: AgentOptions | undefined, modeId: string): boolean =>
  listIn(fieldsOf(theirs?.acp['modes']), 'availableModes').some(
    (each) => textIn(each, 'id') === modeId,
  )
