/** How a session works: its model, its mode, its name, its options. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import { compileGlob } from '../../../lib/match-glob.ts'
import { mergedConfig, modelsIn, type AgentConfig } from '../agent-config.ts'
import { requireKnown } from '../client-model.ts'
import type { HostedSession } from '../hosted-session.ts'
import { configure } from '../join-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { refuseWrong } from '../unsupported-options.ts'
import { sessionConfig } from '../session-config.ts'

const mode = z.enum(['interactive', 'plan', 'autopilot'])

const maybe = z.string().min(1).optional()
const overlay = {
  deviceManagedModel: maybe,
  serverManagedModel: maybe,
  policyHelperModel: maybe,
  cliModel: maybe,
  repoModel: maybe,
  repoReasoningEffort: maybe,
} as const

export const settingsMethods: Methods = {
  'session.model.getCurrent': passOn('state', {
    summary: 'The model of a session.',
    from: ({ model: modelId, reasoningEffort }) => defined({ modelId, reasoningEffort }),
  }),
  'session.model.switchTo': sessionMethod(
    'Uses another model from the next turn on.',
    { modelId: z.string().min(1), reasoningEffort: z.string().optional() },
    async (session, { modelId, reasoningEffort }) => {
      await refuseOthers(session, modelId)
      const { model: before } = await session.ops.state()
      await session.ops.setModel({
        model: modelId,
        ...defined({ reasoningEffort }),
      })
      // Another model may be at another provider.
      if (session.config.models !== undefined) session.agent.renew()
      return {
        status: 'applied',
        deferred: false,
        modelId,
        modelState: { modelId },
        ...(before !== undefined &&
          before !== modelId && { message: `Model changed from ${before} to ${modelId}` }),
      }
    },
  ),
  'session.model.applyStartupOverlay': sessionMethod(
    'Chooses what policies and settings ask for, where the session has neither a model nor a provider of its own.',
    overlay,
    async (session, wish) => {
      const { model: now, reasoningEffort: effort } = await session.ops.state()
      const modelId = modelIn(wish)
      const isOpen = now === undefined && session.config.provider === undefined
      if (modelId !== undefined && !isOpen)
        return {
          status: 'unchanged',
          deferred: wish.cliModel === undefined,
          ...defined({ modelId: now }),
        }
      const reasoningEffort = modelId === undefined ? effort : wish.repoReasoningEffort
      const after = modelId ?? now
      if (modelId !== undefined) {
        await refuseOthers(session, modelId)
        await session.ops.setModel({ model: modelId, ...defined({ reasoningEffort }) })
      }
      return {
        status: 'applied',
        deferred: false,
        ...defined({ modelId: after }),
        deprecationWarnings: [],
        modelState: defined({ modelId: after, reasoningEffort }),
      }
    },
  ),
  'session.model.setReasoningEffort': sessionMethod(
    'Lets the model think more or less.',
    { reasoningEffort: z.string().min(1) },
    async ({ ops }, { reasoningEffort }) => {
      const { model } = await ops.state()
      if (model === undefined)
        throw new EngineError('invalid', 'The session has no model yet. Nothing was changed.')
      await ops.setModel({ model, reasoningEffort })
      return { reasoningEffort }
    },
  ),
  'session.model.setAllowedModels': sessionMethod(
    'The only models that may be chosen in this session, by their names or with * in them; null: any. A model that is none of them gives way to the first.',
    { allowedModels: z.array(z.string().min(1)).nullish() },
    async (session, { allowedModels }) => {
      if (allowedModels?.length === 0)
        throw new EngineError(
          'invalid',
          'Host allowedModels must contain at least one model id. Nothing was changed.',
        )
      const { model } = await session.ops.state()
      const [first] = allowedModels ?? []
      session.allowedModels = allowedModels ?? undefined
      const isKept = first === undefined || (model !== undefined && isAllowed(session, model))
      if (!isKept) await session.ops.setModel({ model: first })
      const modelId = isKept ? model : first
      return {
        ...defined({ allowedModels: allowedModels ?? undefined, fallbackModel: first }),
        effectiveAllowedModels: allowedModels ?? ['*'],
        ...defined({ modelId }),
      }
    },
  ),
  'session.model.list': sessionMethod(
    'Models that the session can use: those that came with it, and those that are configured.',
    async (session, _params, { server }) => {
      const configured = (await server.parts.models()).map(({ id }) => id)
      const all = [...new Set([...modelsIn(session.config), ...configured])]
      const allowed = all.filter((id) => isAllowed(session, id))
      return { list: allowed.map((id) => ({ id, name: id })) }
    },
  ),
  'session.mode.get': passOn('state', {
    summary: 'The mode of a session.',
    from: ({ mode: now }) => now,
  }),
  'session.mode.set': sessionMethod(
    'Works in another mode from the next turn on.',
    { mode, expectedMode: mode.optional() },
    async ({ ops }, { mode: wanted, expectedMode }) => {
      const { mode: now } = await ops.state()
      if (expectedMode !== undefined && expectedMode !== now)
        return { status: 'mode-mismatch', modelChanged: false, modeApplied: false }
      await ops.setMode(wanted)
      return { status: 'applied', modelChanged: false, modeApplied: true }
    },
  ),
  'session.name.get': passOn('workspaceFile', {
    summary: 'The name of a session.',
    from: (file) => ({ name: file?.name ?? null }),
  }),
  'session.name.set': sessionMethod(
    'Names a session.',
    { name: z.string() },
    async ({ ops }, { name }) => {
      await ops.save()
      await ops.rename(name)
    },
  ),
  'session.name.setAuto': sessionMethod(
    'Names a session, unless a person did.',
    { summary: z.string() },
    async ({ ops }, { summary }) => {
      await ops.save()
      return { applied: await ops.nameByDefault(summary) }
    },
  ),
  'session.options.update': sessionMethod(
    'Changes what was said when the session was opened.',
    { ...sessionConfig, enableStreaming: z.boolean().optional() },
    async (session, { enableStreaming, ...config }, { client }) => {
      refuseWrong(config)
      const { ops, members } = session
      const { workingDirectory, model, reasoningEffort } = config
      if (model !== undefined)
        await refuseOthers(session, model, mergedConfig(session.config, config, client))
      if (workingDirectory !== undefined) await ops.moveTo(workingDirectory)
      if (model !== undefined) await ops.setModel({ model, ...defined({ reasoningEffort }) })
      const member = members.of(client)
      if (member !== undefined && enableStreaming !== undefined)
        members.put({ ...member, streams: enableStreaming })
      configure(session, client, config)
      return { success: true }
    },
  ),
}

const isAllowed = ({ allowedModels }: HostedSession, model: string): boolean =>
  allowedModels?.some(
    (allowed) => allowed === '*' || allowed === model || compileGlob(allowed)?.(model) === true,
  ) ?? true

/** Managers of machines come first, then the user, then the repository. */
const modelIn = (wish: { readonly [K in keyof typeof overlay]?: string | undefined }) =>
  wish.deviceManagedModel ??
  wish.serverManagedModel ??
  wish.cliModel ??
  wish.policyHelperModel ??
  wish.repoModel

async function refuseOthers(
  session: HostedSession,
  model: string,
  config: AgentConfig = session.config,
): Promise<void> {
  if (isAllowed(session, model)) return requireKnown(session.parts, config, model)
  const allowed = session.allowedModels?.map((each) => `"${each}"`).join(', ')
  throw new EngineError(
    'invalid',
    `Model "${model}" is not allowed by policy. Allowed models: ${allowed}. Nothing was changed.`,
  )
}
