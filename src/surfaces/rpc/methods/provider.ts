/** Providers and models that a client adds to an open session, and how one of them is reached. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import type { AgentConfig } from '../agent-config.ts'
import { clientModel, providerFor } from '../client-model.ts'
import { configure } from '../join-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { namedModel, provider } from '../session-config.ts'
import { defined } from '../../../lib/defined.ts'

const named = provider.extend({ name: z.string().min(1) })

export const providerMethods: Methods = {
  'session.provider.add': sessionMethod(
    'Adds providers and models to those that the session has. They are used once one is chosen.',
    { providers: z.array(named).optional(), models: z.array(namedModel).optional() },
    (session, { providers = [], models = [] }, { client }) => {
      const { config } = session
      if (config.provider !== undefined) {
        throw new EngineError(
          'invalid',
          'The session has one provider of its own, to which none can be added: create it with `providers` and `models`. Nothing was changed.',
        )
      }
      const known = config.providers ?? []
      const all = [...known, ...providers]
      const names = all.map(({ name }) => name)
      const twice = names.find((name, at) => names.indexOf(name) !== at)
      if (twice !== undefined)
        throw new EngineError(
          'conflict',
          `There is a provider "${twice}" already. Nothing was changed.`,
        )
      const stray = models.find((model) => !names.includes(model.provider))
      if (stray !== undefined) {
        throw new EngineError(
          'invalid',
          `The model "${stray.id}" names the provider "${stray.provider}", which is not there. Nothing was changed.`,
        )
      }
      configure(session, client, { providers: all, models: [...(config.models ?? []), ...models] })
      return {
        models: models.map(({ id, provider: its }) => ({
          id: `${its}/${id}`,
          name: `${its}/${id}`,
        })),
      }
    },
  ),
  'session.provider.getEndpoint': sessionMethod(
    'Address and key of the model that the session uses. Only where the server may tell (`COPILOT_ALLOW_GET_PROVIDER_ENDPOINT=true`).',
    { modelId: z.string().optional() },
    async ({ config, ops, parts }, { modelId }) => {
      if (!parts.tellsEndpoints) {
        throw new EngineError(
          'invalid',
          'This server tells no addresses and keys. Start it with COPILOT_ALLOW_GET_PROVIDER_ENDPOINT=true to allow it.',
        )
      }
      return endpointOf(config, modelId ?? (await ops.state()).model)
    },
  ),
}

async function endpointOf(config: AgentConfig, model: string | undefined) {
  const found = clientModel({ config, model })
  const { baseUrl, apiKey, headers = {} } = found ?? {}
  const its = providerFor(config, model)
  if (its === undefined || baseUrl === undefined)
    throw new EngineError('not_found', 'No client brought a provider to this session.')
  const { type = 'openai', wireApi = 'completions' } = its
  return {
    type,
    baseUrl,
    headers,
    transport: 'http',
    ...(type !== 'anthropic' && { wireApi }),
    ...defined({ apiKey: await apiKey?.() }),
  }
}
