/**
 * The same calls of the Copilot SDK, with the genuine CLI and with Reprise behind it in turn: what each answers, and which
 * events follow, are compared call by call. Ids, times and words for people differ and are left out.
 */
import assert from 'node:assert/strict'
import { approveAll, type CopilotClient, type CopilotSession } from '@github/copilot-sdk'
import type { Checks } from './checks.ts'
import { MODEL } from './model.ts'
import type { Place } from './place.ts'
import { startClient } from './programs.ts'

type Ask = (method: string, params?: object) => Promise<unknown>
type Story = (ask: Ask, session: CopilotSession) => Promise<unknown>

export async function checkCalls(checks: Checks, place: Place): Promise<void> {
  const provider = { type: 'openai' as const, baseUrl: place.model.baseUrl }
  for (const [title, story] of Object.entries(stories)) {
    const told = { genuine: {}, ours: {} }
    for (const side of ['genuine', 'ours'] as const) {
      await using client = startClient(place, side)
      const events: string[] = []
      const session = await client.it.createSession({
        model: MODEL,
        provider,
        onPermissionRequest: approveAll,
        onEvent: ({ type }) => COMPARED.test(type) && events.push(type),
      })
      const answers = await story(asking(client.it, session.sessionId), session)
      await client.it.ping()
      told[side] = { answers, events: [...new Set(events)] }
    }
    await checks.check(title, () => assert.deepEqual(told.ours, told.genuine))
  }
}

/** Events that programs draw from; what else happens beside them is each program's own. */
const COMPARED =
  /^(?:session\.(?:schedule|background|model_change|mode|canvas)|permission\.|subagent\.|capabilities\.)/

const asking =
  (client: CopilotClient, sessionId: string): Ask =>
  async (method, params = {}) => {
    const { connection } = client as unknown as {
      connection: { sendRequest(name: string, given: object): Promise<unknown> }
    }
    try {
      return plain(await connection.sendRequest(`session.${method}`, { sessionId, ...params }))
    } catch (error) {
      return { refused: (error as { code?: number }).code }
    }
  }

/** Without what differs from one run to the next. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !PASSING.has(name))
  return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]))
}

const PASSING: ReadonlySet<string> = new Set([
  'id',
  'participantId',
  'joinId',
  'startedAt',
  'updatedAt',
  'completedAt',
  'activeStartedAt',
  'activeTimeMs',
  'idleSince',
  'timestamp',
  'nextRunAt',
  'at',
  'deprecationWarnings',
  'toolTelemetry',
  'sessionLog',
  'contents',
])

const stories: Readonly<Record<string, Story>> = {
  'prompts for later are set, listed and taken back alike': async (ask) => [
    await ask('schedule.add', { interval: '1s', prompt: 'x' }),
    await ask('schedule.add', { interval: 'soon', prompt: 'x' }),
    await ask('schedule.add', { interval: '10m', prompt: 'tick', displayPrompt: '/every tick' }),
    await ask('schedule.addCron', { cron: 'nonsense', prompt: 'x' }),
    await ask('schedule.addCron', { cron: '0 9 * * 1-5', tz: 'Europe/Berlin', prompt: 'daily' }),
    await ask('schedule.addAt', { at: Date.now() + 3_600_000, prompt: 'once' }),
    await ask('schedule.list'),
    await ask('schedule.stop', { id: 1 }),
    await ask('schedule.stop', { id: 77 }),
    await ask('schedule.hasSelfPaced'),
  ],
  'work of a client is shown, counted and ended alike': async (ask, { rpc }) => {
    const given = { type: 'client', clientTaskId: 'build', description: 'd', cancellable: true }
    const registered = await ask('tasks.register', given)
    const [task] = (await rpc.tasks.list()).tasks
    const update = (sequence: number, said: object) =>
      ask('tasks.update', { id: task?.id, sequence, update: said })
    return [
      registered,
      await ask('tasks.register', given),
      await update(1, { kind: 'progress', message: 'half', percentage: 50 }),
      await update(1, { kind: 'progress', message: 'half', percentage: 50 }),
      await update(1, { kind: 'progress', message: 'other' }),
      await update(9, { kind: 'progress', message: 'other' }),
      await ask('tasks.getProgress', { id: task?.id }),
      await ask('tasks.cancel', { id: task?.id }),
      await update(2, { kind: 'failed', error: 'no', code: 'E1' }),
      await update(3, { kind: 'completed' }),
      await ask('tasks.remove', { id: task?.id }),
      await ask('tasks.list'),
      await ask('tasks.waitForPending'),
    ]
  },
  'models are allowed and refused alike': async (ask) => [
    await ask('model.setAllowedModels', { allowedModels: [MODEL] }),
    await ask('model.setAllowedModels', { allowedModels: ['other'] }),
    await ask('model.setAllowedModels', { allowedModels: [] }),
    await ask('model.switchTo', { modelId: 'third' }),
    await ask('model.setAllowedModels', { allowedModels: null }),
    await ask('model.switchTo', { modelId: MODEL }),
    await ask('model.getCurrent'),
  ],
  'a tool runs without the model alike': async (ask) => [
    await ask('tools.initializeAndValidate'),
    ((await ask('tools.execute', { name: 'bash', arguments: SHELL })) as { resultType?: string })
      .resultType,
    ((await ask('tools.execute', { name: 'nosuch', arguments: {} })) as { resultType?: string })
      .resultType,
    await ask('tools.updateSubagentSettings', { subagents: { maxDepth: 1 } }),
    await ask('tools.set', { tools: [{ name: 'mine', description: 'm' }] }),
  ],
  'what tool servers ask is answered alike when nothing was asked': async (ask) => [
    await ask('mcp.oauth.respond', { requestId: 'x' }),
    await ask('mcp.oauth.handlePendingRequest', { requestId: 'x', result: { kind: 'cancelled' } }),
    await ask('mcp.headers.handlePendingHeadersRefreshRequest', {
      requestId: 'x',
      result: { kind: 'none' },
    }),
    await ask('mcp.cancelSamplingExecution', { requestId: 'x' }),
    await ask('mcp.moveLoadingToBackground'),
    await ask('mcp.apps.setHostContext', { context: { theme: 'dark' } }),
    await ask('mcp.apps.getHostContext'),
    await ask('ui.handlePendingSampling', { requestId: 'x' }),
  ],
  'who a session is at GitHub is said and taken back alike': async (ask) => [
    await ask('gitHubAuth.getStatus'),
    await ask('gitHubAuth.setCredentials', {
      credentials: { type: 'token', token: 'gho_none', host: 'https://github.com' },
    }),
    await ask('gitHubAuth.getStatus'),
    await ask('gitHubAuth.getCurrentAuthInfo'),
    await ask('gitHubAuth.logout'),
    await ask('gitHubAuth.getStatus'),
  ],
  'what needs no sign-in is answered alike though nothing is behind it': async (ask) => [
    await ask('completions.getTriggerCharacters'),
    await ask('completions.request', { text: '@a', offset: 2 }),
    await ask('lsp.initialize'),
    await ask('settings.snapshot'),
    await ask('settings.evaluatePredicate', { name: 'coAuthorHookEnabled' }),
    await ask('settings.evaluatePredicate', { name: 'none' }),
    await ask('sandbox.getEnforcementStatus'),
    await ask('sandbox.disableForSession', { requestId: 'none' }),
    await ask('contentExclusion.checkPaths', { paths: ['a'] }),
    await ask('telemetry.setFeatureOverrides', { features: {} }),
    await ask('ui.unregisterDirectAutoModeSwitchHandler', { handle: 'none' }),
    await ask('queue.consumeSystemNotifications', { filter: { type: 'none' } }),
  ],
  'panels are declared, opened and closed alike': async (ask) => [
    await ask('canvas.list'),
    await ask('canvas.open', { canvasId: 'none', instanceId: 'a' }),
    await ask('canvas.provider.register', {
      connectionId: 'c',
      info: { extensionId: 'app', extensionName: 'App' },
      canvases: [{ id: 'notes', displayName: 'Notes', description: 'd' }],
    }),
    await ask('canvas.list'),
    await ask('canvas.listOpen'),
    await ask('canvas.action.invoke', { instanceId: 'a', actionName: 'none' }),
    await ask('canvas.close', { instanceId: 'a' }),
    await ask('canvas.provider.unregister', { connectionId: 'c' }),
    await ask('canvas.list'),
  ],
}

const SHELL = { command: 'echo hi', description: 'says hi' }
