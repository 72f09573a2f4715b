/**
 * Hooks that live with clients: a client that asked for them is called, and may deny, allow, change or add a note. The
 * list is empty as long as no client of the session has hooks, so that nothing is recorded of hooks that nobody has.
 */
import type { HookChange, RequestMeta } from '../../engine/agent.ts'
import type { Hook, HookInput, HookOutput, HookType } from '../../engine/hook.ts'
import type { Payload } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { Members } from './subscribers.ts'
import type { Permissions } from './permissions.ts'

const TYPES: readonly HookType[] = [
  'sessionStart',
  'userPromptSubmitted',
  'userPromptTransformed',
  'preToolUse',
  'preMcpToolCall',
  'postToolUse',
  'agentStop',
  'sessionEnd',
]

/** `hooks` is changed in place; call this when members come, go or change. */
export function alignHooks(
  hooks: Hook[],
  own: readonly Hook[],
  id: SessionId,
  members: Members,
  permissions: Permissions,
): void {
  const isWanted = members.some(({ runsHooks }) => runsHooks)
  hooks.length = 0
  hooks.push(...own)
  if (!isWanted) return
  for (const type of TYPES)
    hooks.push({ type, run: (input, signal) => call(id, members, permissions, input, signal) })
}

async function call(
  id: SessionId,
  members: Members,
  permissions: Permissions,
  input: HookInput,
  signal: AbortSignal,
): Promise<HookOutput> {
  const notes: string[] = []
  let instead: HookChange | undefined
  for (const { client, runsHooks } of members.all()) {
    if (!runsHooks) continue
    const params = { sessionId: id, ...wireInput({ ...input, ...instead }) }
    const result = (await client.peer.request('hooks.invoke', params, signal)) as {
      output?: Output
    } | null
    const output = result?.output ?? {}
    const { permissionDecision, permissionDecisionReason, additionalContext } = output
    if (input.hookType === 'agentStop' && output.decision === 'block')
      return { deny: true, reason: typeof output.reason === 'string' ? output.reason : GO_ON }
    if (typeof additionalContext === 'string') notes.push(additionalContext)
    if (permissionDecision === 'deny') {
      const reason = permissionDecisionReason
      return { deny: true, ...(typeof reason === 'string' && { reason }), ...noted(notes) }
    }
    const { toolCallId } = input
    if (typeof toolCallId === 'string' && input.hookType === 'preToolUse')
      permissions.hookSaid(toolCallId, permissionDecision)
    instead = changeIn(input.hookType, output) ?? instead
  }
  return { ...noted(notes), ...defined({ instead }) }
}

const GO_ON = 'Go on.'

type Output = {
  readonly decision?: unknown
  readonly reason?: unknown
  readonly permissionDecision?: unknown
  readonly permissionDecisionReason?: unknown
  readonly additionalContext?: unknown
  readonly modifiedPrompt?: unknown
  readonly modifiedTransformedPrompt?: unknown
  readonly modifiedArgs?: unknown
  readonly modifiedResult?: unknown
  readonly metaToUse?: unknown
}

function changeIn(type: HookType, output: Output): HookChange | undefined {
  const { modifiedPrompt, modifiedTransformedPrompt, modifiedArgs, modifiedResult } = output
  if (type === 'userPromptSubmitted' && typeof modifiedPrompt === 'string')
    return { prompt: modifiedPrompt }
  if (type === 'userPromptTransformed' && typeof modifiedTransformedPrompt === 'string')
    return { transformedPrompt: modifiedTransformedPrompt }
  if (type === 'preToolUse' && modifiedArgs !== undefined && modifiedArgs !== null)
    return { arguments: modifiedArgs }
  if (type === 'preMcpToolCall' && typeof output.metaToUse === 'object')
    return { requestMeta: output.metaToUse as RequestMeta | null }
  if (type !== 'postToolUse' || typeof modifiedResult !== 'object') return undefined
  const { textResultForLlm: result } = (modifiedResult ?? {}) as { textResultForLlm?: unknown }
  return typeof result === 'string' ? { result } : undefined
}

const noted = (notes: readonly string[]): HookOutput =>
  notes.length === 0 ? {} : { note: notes.join('\n\n') }

/** Told, and not asked: what is said of it changes nothing any more. */
export function tellError(
  id: SessionId,
  members: Members,
  { errorType, message }: Payload<'session.error'>,
  cwd: string,
): void {
  const input = {
    timestamp: Date.now(),
    cwd,
    sessionId: id,
    error: message,
    errorContext: OF_AGENT.has(errorType) ? 'model_call' : 'system',
    recoverable: true, // the next message goes on from here
  }
  for (const { client, runsHooks } of members.all())
    if (runsHooks)
      client.peer
        .request('hooks.invoke', { sessionId: id, hookType: 'errorOccurred', input })
        // A hook of this kind only listens: its refusal changes nothing.
        .catch(() => {})
}

const OF_AGENT: ReadonlySet<string> = new Set([
  'agent',
  'authentication',
  'quota',
  'rate_limit',
  'context_limit',
  'query',
])

/** In the SDK's words. */
function wireInput(input: HookInput): { hookType: string; input: Record<string, unknown> } {
  const { hookType, cwd, sessionId, timestamp } = input
  const common = { timestamp: Date.parse(timestamp), cwd, sessionId }
  if (hookType === 'userPromptSubmitted')
    return { hookType, input: { ...common, prompt: input['prompt'] } }
  if (hookType === 'userPromptTransformed') {
    const { prompt, transformedPrompt } = input
    return { hookType, input: { ...common, prompt, transformedPrompt } }
  }
  if (hookType === 'sessionStart') {
    const { isNew, initialPrompt } = input
    const source = isNew === false ? 'resume' : 'new'
    return { hookType, input: { ...common, source, initialPrompt } }
  }
  if (hookType === 'agentStop') {
    const { stopReason, stopHookActive, transcriptPath } = input
    return { hookType, input: { ...common, transcriptPath, stopReason, stopHookActive } }
  }
  if (hookType === 'sessionEnd') return { hookType, input: { ...common, reason: 'user_exit' } }
  if (hookType === 'preMcpToolCall') {
    const { mcpServerName: serverName, mcpToolName: toolName, toolCallId } = input
    return {
      hookType,
      input: { ...common, toolCallId, serverName, toolName, arguments: input['arguments'] },
    }
  }
  const tool = { ...common, toolName: input['toolName'], toolArgs: input['arguments'] }
  if (hookType === 'preToolUse') return { hookType, input: tool }
  if (input['success'] === true) {
    const toolResult = { textResultForLlm: input['result'], resultType: 'success' }
    return { hookType, input: { ...tool, toolResult } }
  }
  return { hookType: 'postToolUseFailure', input: { ...tool, error: input['result'] } }
}
