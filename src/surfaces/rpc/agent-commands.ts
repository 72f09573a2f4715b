/** Slash commands that the agent of a session offers. It is started for the first list, and asked once. */
import { askAgent, offeredByAgent, type Offered } from '../../commands/offered.ts'
import type { Session } from '../../engine/session.ts'
import type { Notice } from '../../format/notice.ts'
import { objectsOf } from '../../lib/fields.ts'

export interface AgentCommands {
  list(session: Session, signal: AbortSignal): Promise<readonly Offered[]>
  saw(notice: Notice): void
  /** Another agent answers from now on. */
  forget(): void
}

export function createAgentCommands(ready: () => Promise<void>): AgentCommands {
  let known: Promise<readonly Offered[]> | undefined

  async function ask(session: Session, signal: AbortSignal): Promise<readonly Offered[]> {
    // Where another process has the session, the agent is there.
    if ((await session.holder()) !== undefined) return []
    await ready()
    return askAgent(session, signal)
  }
  return {
    list: (session, signal) =>
      // An agent that cannot be started offers nothing; the message that needs it says why.
      (known ??= ask(session, signal).catch(() => {
        known = undefined
        return []
      })),
    saw(notice) {
      if (notice.type === 'commands.changed')
        known = Promise.resolve(offeredByAgent(objectsOf(notice.data.commands)))
    },
    forget: () => void (known = undefined),
  }
}
