/**
 * Hooks that live with clients: a client that asked for them is called, and may deny or add a note. The list is empty
 * as long as no client of the session has hooks, so that nothing is recorded of hooks that nobody has.
 */
import type { Hook, HookInput, HookOutput, HookType } from '../../engine/hooks.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Members } from './members.ts'

const TYPES: readonly HookType[] = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'sessionEnd',
]

/** `hooks` is changed in place; call this when members come, go or change. */
export function alignHooks(
  hooks: Hook[],
  own: readonly Hook[],
  id: SessionId,
  members: Members,
): void {
  const isWanted = members.some(({ runsHooks }) => runsHooks)
  hooks.length = 0
  hooks.push(...own)
  if (!isWanted) return
  for (const type of TYPES)
    hooks.push({ type, run: (input, signal) => call(id, members, input, signal) })
}

async function call(
  id: SessionId,
  members: Members,
  input: HookInput,
  signal: AbortSignal,
): Promise<HookOutput> {
  const params = { sessionId: id, ...wireInput(input) }
  const notes: string[] = []
  for (const { client, runsHooks } of members.all()) {
    if (!runsHooks) continue
    const result = (await client.peer.request('hooks.invoke', params, signal)) as {
      output?: Output
    } | null
    const { permissionDecision, permissionDecisionReason, additionalContext } = result?.output ?? {}
    if (typeof additionalContext === 'string') notes.push(additionalContext)
    if (permissionDecision === 'deny') {
      const reason = permissionDecisionReason
      return { deny: true, ...(typeof reason === 'string' && { reason }), ...noted(notes) }
    }
  }
  return noted(notes)
}

type Output = {
  readonly permissionDecision?: unknown
  readonly permissionDecisionReason?: unknown
  readonly additionalContext?: unknown
}

const noted = (notes: readonly string[]): HookOutput =>
  notes.length === 0 ? {} : { note: notes.join('\n\n') }

/** In the SDK's words. */
function wireInput(input: HookInput): { hookType: string; input: Record<string, unknown> } {
  const { hookType, cwd, sessionId, timestamp } = input
  const common = { timestamp: Date.parse(timestamp), cwd, sessionId }
  if (hookType === 'userPromptSubmitted')
    return { hookType, input: { ...common, prompt: input['prompt'] } }
  if (hookType === 'sessionStart')
    return { hookType, input: { ...common, source: input['isNew'] === false ? 'resume' : 'new' } }
  if (hookType === 'sessionEnd') return { hookType, input: { ...common, reason: 'complete' } }
  const tool = { ...common, toolName: input['toolName'], toolArgs: input['arguments'] }
  if (hookType === 'preToolUse') return { hookType, input: tool }
  if (input['success'] === true) {
    const toolResult = { textResultForLlm: input['result'], resultType: 'success' }
    return { hookType, input: { ...tool, toolResult } }
  }
  return { hookType: 'postToolUseFailure', input: { ...tool, error: input['result'] } }
}
