/**
 * Hooks are told what happens and may deny it, change it or add a note: commands of the user's own configuration, and
 * those of programs that drive a session.
 * Each run is recorded. A hook that fails or takes too long denies nothing: it is recorded as failed.
 */
import type { Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { logPath } from '../../format/paths.ts'
import { errorText } from '../../lib/error-text.ts'
import type { HookChange, HookVerdict, ToolHook } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { Hook, HookOutput, HookType } from '../hook.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { commitOrWait } from '../live/pending-events.ts'

/** Before a prompt is recorded. A denied prompt is refused, and nothing of it is kept. */
export async function promptHook(
  engine: EngineContext,
  session: LiveSession,
  prompt: string,
  signal: AbortSignal,
): Promise<{ prompt: string; notes: readonly string[]; next: readonly string[] }> {
  const isNew = stateOf(session).turns.length === 0
  const begun = session.written.ranStartHooks
    ? NOTHING
    : await runHooks(engine, session, 'sessionStart', { isNew, initialPrompt: prompt }, signal)
  const verdict = await runHooks(engine, session, 'userPromptSubmitted', { prompt }, signal)
  if (verdict.denied !== undefined) {
    throw new EngineError(
      'invalid',
      `A hook refused the message: ${verdict.denied}. It was not sent.`,
    )
  }
  session.written.ranStartHooks = true
  return {
    prompt: verdict.instead?.prompt ?? prompt,
    notes: [...begun.notes, ...verdict.notes],
    next: isNew ? (begun.prompts ?? []) : [],
  }
}

/** Before a message is recorded, with all that goes along to the agent. */
export async function transformHook(
  engine: EngineContext,
  session: LiveSession,
  said: Payload<'user.message'>,
  signal: AbortSignal,
): Promise<Payload<'user.message'>> {
  const { content: prompt, transformedContent = prompt } = said
  const input = { prompt, transformedPrompt: transformedContent }
  const { instead } = await runHooks(engine, session, 'userPromptTransformed', input, signal)
  const changed = instead?.transformedPrompt
  return changed === undefined ? said : { ...said, transformedContent: changed }
}

export const toolHook = (
  engine: EngineContext,
  session: LiveSession,
  { type, formerName, ...input }: ToolHook,
  signal: AbortSignal,
): Promise<HookVerdict> => runHooks(engine, session, type, input, signal, formerName)

/** A hook that wants the agent to go on for ever is not asked any more. */
const MOST_BLOCKS = 20

/** When the agent has nothing more to say. Gives what it is told when a hook does not let it stop. */
export async function stopHook(
  engine: EngineContext,
  session: LiveSession,
  blocks: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (blocks >= MOST_BLOCKS) return undefined
  const input = {
    stopReason: 'end_turn',
    stopHookActive: blocks > 0,
    transcriptPath: engine.fs.nativePath(logPath(session.dir)),
  }
  return (await runHooks(engine, session, 'agentStop', input, signal)).denied
}

export async function runHooks(
  engine: EngineContext,
  session: LiveSession,
  hookType: HookType,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  formerName?: string,
): Promise<HookVerdict> {
  const notes: string[] = []
  const prompts: string[] = []
  let instead: HookChange | undefined
  for (const hook of engine.hooks) {
    if (hook.type !== hookType || !concerns(hook, [input['toolName'], formerName])) continue
    // Each hook is told what the one before it made of it.
    const { output, error } = await runOne(engine, session, hook, { ...input, ...instead }, signal)
    if (error !== undefined) continue
    if (output.note !== undefined) notes.push(output.note)
    prompts.push(...(output.prompts ?? []))
    if (output.instead !== undefined) instead = { ...instead, ...output.instead }
    if (output.deny === true && DENIABLE.has(hookType)) {
      return { denied: output.reason ?? 'a hook said no', notes }
    }
  }
  return { notes, prompts, ...defined({ instead }) }
}

const NOTHING: HookVerdict = { notes: [] }
const DENIABLE: ReadonlySet<HookType> = new Set([
  'userPromptSubmitted',
  'preToolUse',
  'preCompact',
  'agentStop',
])

const concerns = ({ tools }: Hook, names: readonly unknown[]): boolean =>
  tools === undefined || tools.some((tool) => names.includes(tool))

async function runOne(
  engine: EngineContext,
  session: LiveSession,
  hook: Hook,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<{ output: HookOutput; error?: string }> {
  const hookInvocationId = engine.newId()
  const { type: hookType } = hook
  const hasBegun = session.written.hasLog && stateOf(session).eventCount > 0
  // A message that is refused leaves nothing, so before the first one only the start itself is recorded, with it.
  const isRecorded = hook.isOurs !== true && (hasBegun || hookType === 'sessionStart')
  if (isRecorded) {
    const data = { hookInvocationId, hookType, input }
    await commitOrWait(engine, session, { type: 'hook.start', data })
  }
  let output: HookOutput = {}
  let error: string | undefined
  try {
    output = await hook.run(
      {
        ...input,
        hookType,
        sessionId: session.id,
        cwd: session.project.cwd,
        timestamp: engine.clock().toISOString(),
      },
      signal,
    )
  } catch (cause) {
    error = errorText(cause)
  }
  if (isRecorded) {
    await commitOrWait(engine, session, {
      type: 'hook.end',
      data: {
        hookInvocationId,
        hookType,
        success: error === undefined,
        output,
        ...(error !== undefined && { error: { message: error } }),
      },
    })
  }
  return { output, ...defined({ error }) }
}
