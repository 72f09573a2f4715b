/** What came in the session of this terminal has been seen, when a person has it before them. */
import type { SessionContext } from './session-context.ts'

export function look({ id, isSpoken, isLooking, seen }: SessionContext): void {
  if (id !== undefined && isSpoken && isLooking()) seen(id)
}
