/** What copies of projects cost, in words. */
import type { Engine } from '../../engine/engine.ts'
import { counted, sizeText } from '../../lib/quantities.ts'

/** Undefined when there are none. */
export function copiesText({
  sharedBytes,
  sharedBy,
  recordedBytes,
}: Awaited<ReturnType<Engine['copies']>>): string | undefined {
  const shared =
    sharedBytes > 0 && `${sizeText(sharedBytes)} shared by ${counted(sharedBy, 'session')}`
  const recorded = recordedBytes > 0 && `${sizeText(recordedBytes)} of what tools changed`
  const parts = [shared, recorded].filter((part) => part !== false)
  return parts.length === 0 ? undefined : `Copies of projects, for undo: ${parts.join(', ')}`
}
