/** In plan mode no file of the project is written, whatever rules or flags would allow. The plan needs no leave. */
import type { PermissionDecision, Turn } from '../../engine/agent.ts'

const REFUSED: PermissionDecision = {
  kind: 'deny',
  by: 'policy',
  because: { mode: 'plan' },
}

/** `mode` is the one of now: it changes when a person approves the plan. */
export const inMode = (turn: Turn, mode: { readonly now: string }): Turn =>
  mode.now === 'plan'
    ? {
        ...turn,
        permit: (request, asked) =>
          mode.now === 'plan' && request.kind === 'write'
            ? Promise.resolve(REFUSED)
            : turn.permit(request, asked),
      }
    : turn
