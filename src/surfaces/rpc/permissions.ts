/**
 * Permissions of one session: every connected client that can decide is asked, the first answer counts, and the others
 * see the event that says so. A request outlives the client that was asked. Approvals for a session hold as narrowly as they were given, and for this process only.
 */
import { isFound } from './failure.ts'
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from '../../engine/agent.ts'
import { serverTool } from '../../engine/permission/server-tool.ts'
import type { Session } from '../../engine/session.ts'
import type { Event, Payload, Stranger } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { rulesPolicy } from '../../engine/turn/permission-rules.ts'
import type { Members } from './subscribers.ts'
import { createSessionRules, type SdkRule, type SessionRules } from './session-rules.ts'

export type PermissionMode = 'manual' | 'assisted' | 'allow-all'

export interface Permissions {
  readonly policy: PermissionPolicy
  /** A client is asked before anything is read, as the SDK promises its handlers. */
  readonly asksToRead: boolean
  mode: PermissionMode
  /** What clients said besides. */
  readonly rules: SessionRules
  /** A hook of a client allowed this call, or wants a person to be asked whatever else holds. */
  hookSaid(toolCallId: string, decision: unknown): void
  /** The feed passes by here. False for a request that was decided before a client could be asked. */
  saw(event: Event | Stranger): boolean
  /** False when it was answered, or withdrawn, before. */
  answer(ops: Session, requestId: string, answer: Answer): Promise<boolean>
  /** As they are put to a person. */
  pending(): readonly { readonly requestId: string; readonly request: unknown }[]
  /** One that was asked before this server knew the session, and is still open. */
  adopt(request: Event): void
  /** One waits, and no client is connected that could decide. */
  readonly isForsaken: boolean
  /** Clients came or went. */
  align(): void
  /** A client said that it is not to be asked, or is: what it could do before does not count. */
  alignAnew(): void
  /** What nobody decided is denied. */
  giveUp(ops: Session): void
  forgetApprovals(): void
}

export type Answer = {
  readonly kind: string
  readonly feedback?: string
  readonly approval?: Approval
}

/** What was approved until the session is closed. */
type Approval = {
  readonly kind: string
  readonly commandIdentifiers?: readonly string[]
  readonly serverName?: string
  readonly toolName?: string | null
}

export function createPermissions(
  members: Members,
  initial: PermissionMode,
  atPlace: () => Promise<readonly SdkRule[]>,
): Permissions {
  const waiting = new Map<string, Payload<'permission.requested'>>()
  const byHooks = new Map<string, 'allow' | 'ask'>()
  let approvals: Approval[] = []
  /** Calls that a person is asked about. */
  const asked = new Set<string>()
  const canAsk = () => members.some(({ answersPermissions }) => answersPermissions)
  /** A client could decide once: it may come back, so questions wait for it. */
  let couldAsk = false

  const rules = createSessionRules(atPlace)
  const beyondRules: PermissionPolicy = (request, { mustAsk = false }) => {
    const said = mustAsk ? 'ask' : byHooks.get(request.toolCallId)
    if (said === undefined && (permissions.mode === 'allow-all' || rules.approvesAll))
      return { kind: 'allow', by: 'policy', because: { mode: 'allow-all' } }
    const grant = approvals.find((it) => covers(it, request))
    if (said === undefined && grant !== undefined)
      return { kind: 'allow', by: 'policy', because: { grant: grant.kind } }
    if (said === 'allow') return { kind: 'allow', by: 'policy' }
    if (!canAsk() && !couldAsk) return UNATTENDED
    asked.add(request.toolCallId)
    return 'ask'
  }
  const permissions: Permissions = {
    mode: initial,
    rules,
    policy: async (request, situation) =>
      rulesPolicy(await rules.now(), beyondRules)(request, situation),
    get asksToRead() {
      return canAsk() && permissions.mode !== 'allow-all' && !rules.approvesAll
    },
    hookSaid(toolCallId, decision) {
      // The strictest of several hooks counts.
      if (decision === 'ask') byHooks.set(toolCallId, 'ask')
      if (decision === 'allow' && !byHooks.has(toolCallId)) byHooks.set(toolCallId, 'allow')
    },
    saw(event) {
      if ('stranger' in event) return true
      if (event.type === 'tool.execution_complete') byHooks.delete(event.data.toolCallId)
      if (event.type === 'permission.completed') waiting.delete(event.data.requestId)
      if (event.type !== 'permission.requested') return true
      const request = event.data.permissionRequest as PermissionRequest
      if (!asked.delete(request.toolCallId)) return false
      waiting.set(event.data.requestId, event.data)
      return true
    },
    async answer(ops, requestId, answer) {
      const request = waiting.get(requestId)?.permissionRequest as PermissionRequest | undefined
      if (!(await isFound(ops.answer(requestId, decisionOf(answer))))) return false
      waiting.delete(requestId)
      if (request !== undefined && LASTING.has(answer.kind))
        approvals.push(answer.approval ?? approvalOf(request))
      return true
    },
    pending: () =>
      Array.from(waiting.values(), ({ requestId, permissionRequest, promptRequest }) => ({
        requestId,
        request: promptRequest ?? permissionRequest,
      })),
    adopt(event) {
      if (event.type === 'permission.requested') waiting.set(event.data.requestId, event.data)
    },
    get isForsaken() {
      return waiting.size > 0 && !canAsk()
    },
    align() {
      couldAsk ||= canAsk()
    },
    alignAnew() {
      couldAsk = canAsk()
    },
    giveUp(ops) {
      for (const requestId of waiting.keys())
        void permissions.answer(ops, requestId, { kind: 'user-not-available' })
    },
    forgetApprovals: () => {
      approvals = []
    },
  }
  return permissions
}

const UNATTENDED: PermissionDecision = { kind: 'deny', by: 'nobody' }

const ONCE: ReadonlySet<string> = new Set(['approve-once', 'approved'])
/** Nothing outlasts the process: an approval for a place or for ever holds as long as one for the session. */
const LASTING: ReadonlySet<string> = new Set([
  'approve-for-session',
  'approve-for-location',
  'approve-permanently',
  'approved-for-session',
  'approved-for-location',
])
const BY_PERSON: ReadonlySet<string> = new Set(['reject', 'denied-interactively-by-user'])
const BY_RULES: ReadonlySet<string> = new Set([
  'denied-by-rules',
  'denied-by-content-exclusion-policy',
  'denied-by-permission-request-hook',
])

export function decisionOf({ kind, feedback }: Answer): PermissionDecision {
  if (ONCE.has(kind) || LASTING.has(kind)) return { kind: 'allow', by: 'person' }
  if (BY_PERSON.has(kind)) return { kind: 'deny', by: 'person', ...defined({ feedback }) }
  return BY_RULES.has(kind) ? { kind: 'deny', by: 'policy' } : UNATTENDED
}

/** As much as was asked for and no more. */
function approvalOf(request: PermissionRequest): Approval {
  if (request.kind === 'shell') {
    const commandIdentifiers = request.commands.map(({ identifier }) => identifier)
    return { kind: 'commands', commandIdentifiers }
  }
  if (request.kind === 'mcp')
    return { kind: 'mcp', serverName: request.serverName, toolName: request.toolName }
  if (request.kind === 'custom-tool') return { kind: 'custom-tool', toolName: request.toolName }
  if (request.kind === 'read' || request.kind === 'write') return { kind: request.kind }
  return { kind: 'nothing' }
}

function covers(approval: Approval, request: PermissionRequest): boolean {
  if (request.kind === 'shell') {
    const { commandIdentifiers: allowed = [], kind } = approval
    const { commands } = request
    return (
      kind === 'commands' &&
      commands.length > 0 &&
      !request.hasWriteFileRedirection &&
      commands.every(({ identifier }) => allowed.includes(identifier))
    )
  }
  if (approval.kind !== request.kind) return false
  if (request.kind === 'mcp') {
    const { serverName, toolName } = approval
    if (serverName !== request.serverName) return false
    return toolName === null || isSameTool(request.serverName, toolName, request.toolName)
  }
  if (request.kind === 'custom-tool') return approval.toolName === request.toolName
  return request.kind === 'read' || request.kind === 'write'
}

/** A client may say it with the server's name before it, as a request does, or without. */
const isSameTool = (serverName: string, said: string | undefined, toolName: string): boolean =>
  said !== undefined &&
  serverTool({ serverName, toolName: said }) === serverTool({ serverName, toolName })
