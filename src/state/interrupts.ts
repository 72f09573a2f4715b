/** The one rule on which resumes end what was running: it went on neither elsewhere nor here. */
import type { Payload } from '../format/event.ts'

export const interruptsWork = (data: Payload<'session.resume'>): boolean =>
  data.continuePendingWork !== true && data.sessionWasActive !== true
