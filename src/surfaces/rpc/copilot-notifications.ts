/** What front ends of the Copilot CLI are told beside a notice of ours, and in which form they know it. */
import type { Notice } from '../../format/notice.ts'
import type { HostedSession } from './hosted-session.ts'
import type { Told } from './wire.ts'

/** All that is told in place of a notice, in this order. */
export function toldFor(session: Pick<HostedSession, 'streamedBytes'>, notice: Notice): Told[] {
  if (notice.type === 'session.idle') {
    const { aborted = false, ...rest } = notice.data
    const ended = aborted ? { aborted } : {}
    return [
      { type: 'assistant.idle', data: ended },
      { ...notice, data: { ...ended, ...rest } },
    ]
  }
  // Each call of a model is counted anew.
  if (notice.type === 'model.call_start') session.streamedBytes = 0
  const piece = pieceOf(notice)
  if (piece === undefined) return [notice]
  session.streamedBytes += Buffer.byteLength(piece)
  const data = { totalResponseSizeBytes: session.streamedBytes }
  return [{ type: 'assistant.streaming_delta', data }, notice]
}

function pieceOf(notice: Notice): string | undefined {
  // Sub-agents have a count of their own, which nobody draws.
  if (notice.agentId !== undefined) return undefined
  switch (notice.type) {
    case 'assistant.message_delta':
    case 'assistant.reasoning_delta':
      return notice.data.deltaContent
    case 'assistant.tool_call_delta':
      return notice.data.inputDelta
    default:
      return undefined
  }
}
