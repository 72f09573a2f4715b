/**
 * Permissions: what needs nobody's leave, and what a connected client is asked. The first client that answers decides;
 * the question is then taken back from the others.
 */
import type {
  PermissionOption,
  RequestPermissionRequest,
  ToolCallContent,
} from '@agentclientprotocol/sdk'
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import { fieldsOf } from '../../lib/fields.ts'
import { callView, type Called } from './tool-view.ts'
import { textContent } from './update.ts'

export interface Asks {
  readonly policy: PermissionPolicy
  /** A person must be asked about this call, and has not answered yet. */
  waits(toolCallId: string | undefined): boolean
  settled(toolCallId: string | undefined): void
}

/** What no rule has decided is asked, unless everything is allowed. */
export function createAsks({ allowAll }: { readonly allowAll: boolean }): Asks {
  const waiting = new Set<string>()
  return {
    policy({ toolCallId }, { mustAsk = false }) {
      if (allowAll && !mustAsk)
        return { kind: 'allow', by: 'policy', because: { mode: 'allow-all' } }
      waiting.add(toolCallId)
      return 'ask'
    },
    waits: (toolCallId) => toolCallId !== undefined && waiting.has(toolCallId),
    settled: (toolCallId) => void (toolCallId !== undefined && waiting.delete(toolCallId)),
  }
}

type Offered = Payload<'permission.requested'>['reprise']

/** Those of the agent behind us, as it names them, and what we remember for it; or ours alone. */
function optionsFor(offered: Offered): PermissionOption[] {
  const { always, options = [] } = offered ?? {}
  if (options.length === 0) return ownOptions(always)
  const theirs = options.map(({ id, name, kind }) => ({ optionId: id, name, kind }))
  const mayReject = options.some(({ kind }) => kind.startsWith('reject'))
  return [
    ...(theirs as PermissionOption[]),
    ...ownOptions(always).flatMap((option) =>
      option.optionId === 'always' || (option.optionId === 'reject' && !mayReject)
        ? [{ ...option, optionId: `reprise:${option.optionId}`, name: `Reprise: ${option.name}` }]
        : [],
    ),
  ]
}

/** "Always" says what it allows. */
const ownOptions = (always: string | undefined): PermissionOption[] => [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  ...(always === undefined
    ? []
    : [
        {
          optionId: 'always',
          name: `Allow ${always} in this session`,
          kind: 'allow_always' as const,
        },
      ]),
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
]

/** The question, with the call that it is about as far as it is known. */
export function permissionParams(
  sessionId: string,
  { permissionRequest, reprise }: Payload<'permission.requested'>,
  call: Called | undefined,
  cwd: string,
): RequestPermissionRequest {
  const request = permissionRequest as PermissionRequest
  const asked: Called = call ?? {
    toolCallId: request.toolCallId,
    toolName: request.kind,
    arguments: request,
  }
  const view = callView(asked, cwd)
  const shown = contentOf(request)
  return {
    sessionId,
    toolCall: {
      ...view,
      ...asked.theirs,
      title: titleOf(request) ?? view.title,
      status: 'pending',
      ...(shown.length > 0 && view.content === undefined && { content: shown }),
    },
    options: optionsFor(reprise),
  }
}

function titleOf(request: PermissionRequest): string | undefined {
  if (request.kind === 'shell') return request.fullCommandText.split('\n', 1)[0]
  if (request.kind === 'mcp') return `${request.serverName}: ${request.toolTitle}`
  const intention = 'intention' in request ? request.intention : ''
  return intention === '' ? undefined : intention
}

function contentOf(request: PermissionRequest): ToolCallContent[] {
  const text =
    request.kind === 'write' ? request.diff : request.kind === 'shell' ? request.warning : ''
  return text ? [textContent(text)] : []
}

/** The same question, for one who may not allow more than this once; undefined when it is that already. */
export function askedForOnce(
  asked: Payload<'permission.requested'>,
): Payload<'permission.requested'> | undefined {
  const { always, options = [], ...reprise } = asked.reprise ?? {}
  const once = options.filter(({ kind }) => kind !== 'allow_always')
  if (always === undefined && once.length === options.length) return undefined
  return { ...asked, reprise: { ...reprise, options: once } }
}

const DECISIONS: Readonly<Record<string, PermissionDecision['kind']>> = {
  allow: 'allow',
  always: 'allow-for-session',
  reject: 'deny',
}

/** Anything that is not clearly a yes is a no. */
export function decisionIn(answer: unknown, offered: Offered): PermissionDecision {
  const outcome = fieldsOf(fieldsOf(answer)['outcome'])
  const chosen = outcome['outcome'] === 'selected' ? String(outcome['optionId']) : ''
  const theirs = offered?.options?.find(({ id }) => id === chosen)
  if (theirs !== undefined) {
    const kind = theirs.kind.startsWith('allow') ? 'allow' : 'deny'
    return { kind, by: 'person', option: theirs.id }
  }
  return { kind: DECISIONS[chosen.replace(/^reprise:/, '')] ?? 'deny', by: 'person' }
}
