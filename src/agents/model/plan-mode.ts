/** In plan mode no file of the project is written, whatever rules or flags would allow. The plan needs no leave. */
import type { PermissionDecision, Turn } from '../../engine/agent.ts'

const REFUSED: PermissionDecision = {
  kind: 'deny',
  by: 'policy',
  feedback: 'The session is in plan mode: only the plan is written.',
}

export const inMode = (turn: Turn): Turn =>
  turn.state.mode === 'plan'
    ? {
        ...turn,
        permit: (request) =>
          request.kind === 'write' ? Promise.resolve(REFUSED) : turn.permit(request),
      }
    : turn
