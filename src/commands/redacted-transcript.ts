/**
 * The transcript as it may leave the machine. Every way out redacts it here, entry by entry and before it becomes text:
 * names beside a value give it away, and a text as a whole has other neighbours than its parts.
 */
import type { Session } from '../engine/session.ts'
import type { TranscriptEntry } from '../state/transcript.ts'

export async function redactedTranscript(
  session: Session,
  redact: <T>(value: T) => T | Promise<T>,
): Promise<TranscriptEntry[]> {
  const entries: TranscriptEntry[] = []
  for await (const entry of session.transcript()) entries.push(await redact(entry))
  return entries
}
