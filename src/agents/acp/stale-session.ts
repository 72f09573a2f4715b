/**
 * An agent that is behind: another process of it went on with its session since. What it has in memory is old, and some
 * replay what is on the disk and answer from what they have. So it is ended, and the next one reads what there is.
 */
import { readInner } from './agent-file.ts'
import { previousTurn, type Moment } from './conversation.ts'
import type { Supervised } from './supervised.ts'

export async function endIfBehind(
  { options, agent, session, terminals }: Supervised,
  turn: Moment,
): Promise<void> {
  const last = previousTurn(turn)
  if (agent?.isGone !== false || session === undefined || session.known.knows === last) return
  const kept = await readInner(turn.workspacePath, options.name)
  if (kept?.of !== turn.sessionId || kept.knows !== last) return
  terminals.stopAll()
  await agent.stop()
}
