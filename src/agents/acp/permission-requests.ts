/**
 * `session/request_permission`: the question of an agent becomes a request of ours, the decision one of its options.
 * Never more is granted than was decided: "always" is remembered here, for this session, and not by the agent, unless
 * a person chose that answer of the agent by its name.
 */
import type { PermissionOptionKind, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { AskedPermission, PermissionAnswer, PermissionDecision } from '../../engine/agent.ts'
import { shellDeed } from '../tools/shell-deed.ts'
import type { Deed } from '../tools/tool.ts'
import { commandKey, type TurnServices } from './turn-services.ts'
import { listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'
import { nameOf } from './tool-calls.ts'
import { diffsIn } from './tool-result.ts'

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

export async function requestPermission(
  services: TurnServices,
  params: Fields,
): Promise<RequestPermissionResponse> {
  const asked = fieldsOf(params['toolCall'])
  const { mode } = services.turn.state
  // Nobody can approve a plan that is not shown.
  if (isPlanEnd(asked, mode) && listIn(asked, 'content').length === 0)
    await services.calls.untilInput(asked)
  const call = services.calls.begin(asked)
  // The call must be in the log before the question about it.
  await services.outbox.taken()
  const endsPlan = isPlanEnd(call.raw, mode)
  const deed = endsPlan ? withPlan(deedOf(call.raw), call.raw) : deedOf(call.raw)
  const options = listIn(params, 'options')
  const decision = await decide(services, call, deed, {
    options: options.flatMap(asAnswer),
    endsPlan,
    // Without a decision nothing is granted: the turn was stopped, or the log could not take the question.
  }).catch(() => undefined)
  if (decision === undefined || services.signal.aborted) return CANCELLED
  if (decision.kind !== 'deny') remember(services, call.raw, deed)
  if (decision.kind !== 'deny' && endsPlan && mode === 'plan') leavePlan(services)
  const optionId = optionFor(decision, options)
  return optionId === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId } }
}

async function decide(
  { turn }: TurnServices,
  call: { readonly toolCallId: string; readonly toolName: string; readonly raw: Fields },
  deed: Deed,
  asked: AskedPermission,
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
  return turn.permit({ ...deed, toolCallId }, asked)
}

function asAnswer(option: Fields): PermissionAnswer[] {
  const [id, name, kind] = ['optionId', 'name', 'kind'].map((key) => textIn(option, key))
  return id === undefined || kind === undefined ? [] : [{ id, name: name ?? id, kind }]
}

/** By how agents name the tool with which they put a plan forward; another change of their mode ends ours alone. */
const isPlanEnd = (call: Fields, mode: string): boolean =>
  /exit.?plan/i.test(`${nameOf(call)} ${textIn(call, 'title')}`) ||
  (call['kind'] === 'switch_mode' && mode === 'plan')

/** The agent goes on in a mode of its own; ours follows, or it would be refused what it does then. */
function leavePlan({ outbox, turn }: TurnServices): void {
  const data = { previousMode: turn.state.mode, newMode: 'interactive' }
  outbox.push({ draft: { type: 'session.mode_changed', data } })
}

const preferred: Readonly<Record<PermissionDecision['kind'], readonly PermissionOptionKind[]>> = {
  allow: ['allow_once'],
  'allow-for-session': ['allow_once', 'allow_always'],
  deny: ['reject_once', 'reject_always'],
}

export function optionFor(
  { kind, option: named }: Pick<PermissionDecision, 'kind' | 'option'>,
  options: readonly Fields[],
): string | undefined {
  const says = kind === 'deny' ? 'reject' : 'allow'
  const isNamed = ({ optionId, kind: theirs }: Fields) =>
    optionId === named && typeof theirs === 'string' && theirs.startsWith(says)
  if (named !== undefined && options.some(isNamed)) return named
  const option = (wanted: PermissionOptionKind) => options.find((each) => each['kind'] === wanted)
  const chosen = preferred[kind].map(option).find((each) => each !== undefined)
  if (chosen !== undefined) return textIn(chosen, 'optionId')
  // Without a way to allow just this, it is not allowed.
  return kind === 'deny' ? undefined : optionFor({ kind: 'deny' }, options)
}

function remember(
  { turn, allowedDiffs, allowedCommands }: TurnServices,
  call: Fields,
  deed: Deed,
): void {
  if (deed.kind === 'write') for (const diff of diffsIn(call)) allowedDiffs.add(diff)
  if (deed.kind !== 'shell') return
  const { resolvedWorkingDirectory: cwd = turn.cwd, fullCommandText } = deed
  allowedCommands.add(commandKey(cwd, fullCommandText))
}

/** By what the call would do rather than by how the agent labels it: whatever holds a command is a command. */
export function deedOf(call: Fields): Deed {
  const input = fieldsOf(call['rawInput'])
  const title = textIn(call, 'title') ?? nameOf(call)
  const kind = textIn(call, 'kind')
  const command = commandIn(input) ?? (kind === 'execute' ? title : undefined)
  if (command !== undefined) return shellDeed(command, title, textIn(input, 'cwd'))
  const diffs = diffsIn(call)
  const path = pathIn(input) ?? textIn(fieldsOf(listIn(call, 'locations')[0]), 'path')
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

/** The question shows the plan: from the call, or, where that does not hold it, as the agent shows it beside it. */
function withPlan(deed: Deed, call: Fields): Deed {
  if (deed.kind !== 'custom-tool') return deed
  const args = fieldsOf(call['rawInput'])
  const shown = listIn(call, 'content').flatMap(
    ({ content }) => textIn(fieldsOf(content), 'text') ?? [],
  )
  const plan = textIn(args, 'plan') || shown.join('\n\n')
  return plan === '' ? deed : { ...deed, args: { ...args, plan } }
}

const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move'])

function commandIn(input: Fields): string | undefined {
  const { command } = input
  if (Array.isArray(command)) return command.map(String).join(' ')
  return typeof command === 'string' && command !== '' ? command : undefined
}

const pathIn = (input: Fields): string | undefined =>
  ['path', 'file_path', 'filePath', 'abs_path', 'filepath']
    .map((key) => textIn(input, key))
    .find((path) => path !== undefined)
