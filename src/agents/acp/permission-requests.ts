/**
 * `session/request_permission`: the question of an agent becomes a request of ours, the decision one of its options.
 * Never more is granted than was decided: "always" is remembered here, for this session, and not by the agent.
 */
import type { PermissionDecision } from '../../engine/agent.ts'
import { shellDeed } from '../tools/shell-deed.ts'
import type { Deed } from '../tools/tool.ts'
import { commandKey } from './desk.ts'
import type { Desk } from './desk.ts'
import { listIn, rawOf, textIn } from './raw.ts'
import type { Raw } from './raw.ts'
import { nameOf } from './tool-calls.ts'
import { diffsIn } from './tool-result.ts'

const CANCELLED = { outcome: { outcome: 'cancelled' } }

export async function requestPermission(desk: Desk, params: Raw): Promise<Raw> {
  const call = desk.calls.begin(rawOf(params['toolCall']))
  // The call must be in the log before the question about it.
  await desk.outbox.taken()
  const deed = deedOf(call.raw)
  const decision = await decide(desk, call, deed).catch(() => undefined)
  if (decision === undefined || desk.signal.aborted) return CANCELLED
  if (decision.kind !== 'deny') remember(desk, call.raw, deed)
  const optionId = optionFor(decision, listIn(params, 'options'))
  return optionId === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId } }
}

async function decide(
  { turn }: Desk,
  call: { readonly toolCallId: string; readonly toolName: string; readonly raw: Raw },
  deed: Deed,
): Promise<PermissionDecision> {
  const { toolCallId, toolName, raw } = call
  const verdict = await turn.hook({
    type: 'preToolUse',
    toolName,
    toolCallId,
    arguments: raw['rawInput'] ?? {},
  })
  if (verdict.denied !== undefined) {
    return { kind: 'deny', by: 'policy', feedback: verdict.denied }
  }
  return turn.permit({ ...deed, toolCallId })
}

const preferred: Readonly<Record<PermissionDecision['kind'], readonly string[]>> = {
  allow: ['allow_once'],
  'allow-for-session': ['allow_once', 'allow_always'],
  deny: ['reject_once', 'reject_always'],
}

export function optionFor(
  { kind }: Pick<PermissionDecision, 'kind'>,
  options: readonly Raw[],
): string | undefined {
  const option = (wanted: string) => options.find((each) => each['kind'] === wanted)
  const chosen = preferred[kind].map(option).find((each) => each !== undefined)
  if (chosen !== undefined) return textIn(chosen, 'optionId')
  // Without a way to allow just this, it is not allowed.
  return kind === 'deny' ? undefined : optionFor({ kind: 'deny' }, options)
}

function remember({ turn, allowedDiffs, allowedCommands }: Desk, call: Raw, deed: Deed): void {
  if (deed.kind === 'write') for (const diff of diffsIn(call)) allowedDiffs.add(diff)
  if (deed.kind !== 'shell') return
  const { resolvedWorkingDirectory: cwd = turn.cwd, fullCommandText } = deed
  allowedCommands.add(commandKey(cwd, fullCommandText))
}

/** By what the call would do rather than by how the agent labels it: whatever holds a command is a command. */
export function deedOf(call: Raw): Deed {
  const input = rawOf(call['rawInput'])
  const title = textIn(call, 'title') ?? nameOf(call)
  const kind = textIn(call, 'kind')
  const command = commandIn(input) ?? (kind === 'execute' ? title : undefined)
  if (command !== undefined) return shellDeed(command, title, textIn(input, 'cwd'))
  const diffs = diffsIn(call)
  const path = pathIn(input) ?? textIn(rawOf(listIn(call, 'locations')[0]), 'path')
  if (diffs.length > 0 || (path !== undefined && CHANGING.has(kind ?? ''))) {
    return {
      kind: 'write',
      intention: title,
      fileName: diffs[0]?.path ?? path ?? '',
      diff: diffs.map(({ text }) => text).join('\n'),
      canOfferSessionApproval: true,
    }
  }
  if (kind === 'read' && path !== undefined) return { kind: 'read', intention: title, path }
  const url = textIn(input, 'url')
  if (kind === 'fetch' && url !== undefined) return { kind: 'url', intention: title, url }
  return {
    kind: 'custom-tool',
    toolName: nameOf(call),
    toolDescription: title,
    args: call['rawInput'],
  }
}

const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move'])

function commandIn(input: Raw): string | undefined {
  const { command } = input
  if (Array.isArray(command)) return command.map(String).join(' ')
  return typeof command === 'string' && command !== '' ? command : undefined
}

const pathIn = (input: Raw): string | undefined =>
  ['path', 'file_path', 'filePath', 'abs_path', 'filepath']
    .map((key) => textIn(input, key))
    .find((path) => path !== undefined)
