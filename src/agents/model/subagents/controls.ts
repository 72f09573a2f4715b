/** What people and programs do with the sub-agents of the turns that run: start, speak with, stop, look at them. */
import type { Agent, Turn } from '../../../engine/agent.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Guidance } from '../../../guidance/guidance.ts'
import type { SubagentSettings } from '../config.ts'
import { definitionOf, type Team } from './team.ts'

export function subagentControls(
  teams: ReadonlyMap<SessionId, Team>,
  guidanceOf: (of: Pick<Turn, 'cwd' | 'state'>) => Promise<Guidance>,
  settings: () => SubagentSettings,
): NonNullable<Agent['subagents']> {
  const working = (session: SessionId, id: string) => teams.get(session)?.desk.find(id)
  return {
    async check(of, { agentType }) {
      definitionOf(await guidanceOf(of), agentType, settings())
    },
    async start(session, request) {
      const team = teams.get(session)
      team?.start(request)
      return team !== undefined
    },
    message(session, id, text) {
      const task = working(session, id)
      if (task !== undefined) teams.get(session)?.desk.say(task, text)
      return task !== undefined
    },
    cancel(session, id) {
      const task = working(session, id)
      task?.stop.abort()
      return task !== undefined
    },
    promote(session, id) {
      const task = working(session, id)
      if (task?.mode !== 'sync') return false
      teams.get(session)?.desk.promote(task)
      return true
    },
    progress: (session, id) => working(session, id)?.steps ?? [],
  }
}
