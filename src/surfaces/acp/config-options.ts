/** What can be chosen for a session: its mode, and the model with its effort. Each is told in both ways that clients know. */
import type { SessionConfigOption, SessionMode, SessionModeState } from '@agentclientprotocol/sdk'
import type { Engine } from '../../engine/engine.ts'
import type { Mode } from '../../engine/turn/message.ts'
import type { SessionId } from '../../format/ids.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { AcpProjection } from './projection.ts'

type Settings = AcpProjection['settings']

const MODES: (SessionMode & { readonly id: Mode })[] = [
  { id: 'interactive', name: 'Ask', description: 'Asks before it changes anything.' },
  { id: 'plan', name: 'Plan', description: 'Looks and plans; changes nothing.' },
  {
    id: 'autopilot',
    name: 'Autopilot',
    description: 'Goes on by itself until the task is done.',
  },
]
const EFFORTS = ['low', 'medium', 'high'] as const
/** The agent's own choice. */
const DEFAULT = 'default'

export const modesOf = ({ mode }: Settings): SessionModeState => ({
  currentModeId: mode,
  availableModes: MODES,
})

export function configOptionsOf(
  { mode, model, effort }: Settings,
  models: readonly string[],
): SessionConfigOption[] {
  const names = new Set([...(model === undefined ? [DEFAULT] : [model]), ...models])
  return [
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: MODES.map(({ id, ...shown }) => ({ value: id, ...shown })),
    },
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model ?? DEFAULT,
      options: [...names].map((name) => ({
        value: name,
        name: name === DEFAULT ? 'The default of the agent' : name,
      })),
    },
    // An effort is one of a model, so a model comes first.
    ...(model === undefined
      ? []
      : [
          {
            id: 'effort',
            name: 'Reasoning effort',
            category: 'thought_level',
            type: 'select' as const,
            currentValue: effort ?? DEFAULT,
            options: [
              ...new Set([DEFAULT, ...EFFORTS, ...(effort === undefined ? [] : [effort])]),
            ].map((value) => ({ value, name: value })),
          },
        ]),
  ]
}

export async function setMode(
  engine: Engine,
  id: SessionId,
  settings: Settings,
  wanted: string,
): Promise<void> {
  const mode = MODES.find((each) => each.id === wanted)
  if (mode === undefined) throw unknown('mode', wanted)
  await (await engine.open(id)).setMode(mode.id)
  settings.mode = mode.id
}

export async function setOption(
  engine: Engine,
  id: SessionId,
  settings: Settings,
  { configId, value }: { readonly configId: string; readonly value: string | boolean },
): Promise<void> {
  if (typeof value !== 'string') throw unknown(configId, String(value))
  if (configId === 'mode') return setMode(engine, id, settings, value)
  if (configId === 'model') {
    if (value === (settings.model ?? DEFAULT)) return
    if (value.trim() === '' || value === DEFAULT) throw unknown('model', value)
    await (await engine.open(id)).setModel({ model: value })
    settings.model = value
    return
  }
  const { model } = settings
  if (configId !== 'effort' || model === undefined) throw unknown('option', configId)
  if (value === (settings.effort ?? DEFAULT)) return
  if (!EFFORTS.some((effort) => effort === value)) throw unknown('effort', value)
  await (await engine.open(id)).setModel({ model, reasoningEffort: value })
  settings.effort = value
}

const unknown = (what: string, value: string) =>
  new RpcFailure(rpcCodes.invalidParams, `There is no ${what} "${value}". Nothing was changed.`)
