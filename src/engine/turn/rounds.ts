/** The rounds of a turn, one for every call of the model, and how the last of them ends. */
import type { Draft } from '../../format/event.ts'
import type { RunningTurn, TurnOutcome } from './message.ts'

/** Another call of the model ends the round before it, in one step: a turn that goes on is never without one. */
export function roundOf(draft: Draft): readonly Draft[] {
  if (draft.type !== 'assistant.turn_start' || draft.agentId !== undefined) return [draft]
  const { turnId } = draft.data
  return [{ type: 'assistant.turn_end', data: { turnId, reprise: { goesOn: true } } }, draft]
}

/** What the turn is settled with, its end among it, and that it was stopped when it was. */
export function ended(
  settled: readonly Draft[],
  { reason, abort }: Pick<RunningTurn, 'reason' | 'abort'>,
  { status, turnId }: TurnOutcome,
): readonly Draft[] {
  const drafts = settled.some(endsRoot)
    ? settled
    : [...settled, { type: 'assistant.turn_end' as const, data: { turnId } }]
  if (status !== 'cancelled') return drafts
  // Who stops a turn ends it; a no ends the turn first, and stops what would have followed.
  const at = abort.signal.aborted ? drafts.findIndex(endsRoot) : drafts.length
  return drafts.toSpliced(at, 0, { type: 'abort', data: { reason } })
}

const endsRoot = ({ type, agentId }: Draft): boolean =>
  type === 'assistant.turn_end' && agentId === undefined
