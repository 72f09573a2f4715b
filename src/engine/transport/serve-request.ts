/** Acts on what another process asks of a session that is at work here, and says what became of it. */
import type { InboxReply, InboxRequest, OperationRequest } from '../../format/inbox.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { operationCalled, readParams } from '../operations/table.ts'
import { asOperation, replyToFormer } from './former-inbox.ts'

export async function serveRequest(
  engine: EngineContext,
  session: LiveSession,
  request: InboxRequest,
): Promise<InboxReply> {
  if (request.kind === 'operation') return serve(engine, session, request)
  return replyToFormer(request, await serve(engine, session, asOperation(request)))
}

async function serve(
  engine: EngineContext,
  session: LiveSession,
  { operation: name, params, running }: OperationRequest,
): Promise<InboxReply> {
  const operation = operationCalled(name)?.operation
  if (operation?.atTurn === undefined || !operation.may.includes('neighbour'))
    throw new EngineError('invalid', `"${name}" cannot be asked of another process.`)
  if (running !== undefined && !isMeant(session, running)) return { version: 1, status: 'over' }
  const result = await operation.atTurn.here(engine, session, readParams(name, operation, params))
  const json = operation.toJson === undefined ? result : operation.toJson(result as never)
  return { version: 1, status: 'done', result: json }
}

/** A turn is known by its id, a tool that a person runs by that of its call. */
function isMeant(session: LiveSession, id: string): boolean {
  const { running } = session.work
  if (running === undefined) return false
  return (
    id === running.turnId ||
    stateOf(session).pendingTools.some(({ toolCallId }) => toolCallId === id)
  )
}
