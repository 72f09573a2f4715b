/** `/login`: in one of the ways that the agent which answers offers itself. What it keeps of that is its own. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { command } from './command.ts'
import { plain } from './markdown.ts'

export const login = command({
  name: 'login',
  summary: 'log in to the agent that answers, in a way that it offers',
  changes: 'nothing',
  needs: 'logins',
  on: 'home',
  args: z.object({ way: z.string().optional().describe('which way, by its id or its name') }),
  words: ['way…'],
  async run({ logins, working }, { way: wanted }) {
    if (logins === undefined) throw new EngineError('invalid', 'Nobody can log in from here.')
    working?.('asking the agent how to log in')
    try {
      await using offered = await logins.open()
      const { agent, ways } = offered
      const isMeant = ({ id, name }: (typeof ways)[number]) =>
        wanted === id || wanted?.toLowerCase() === name.toLowerCase()
      const way = wanted === undefined && ways.length === 1 ? ways[0] : ways.find(isMeant)
      if (way === undefined) return { agent, ways }
      working?.(`logging in to ${agent}: ${way.name}`)
      await offered.take(way.id)
      return { agent, done: way.name }
    } finally {
      working?.(undefined)
    }
  },
  say: (result) =>
    result.done !== undefined
      ? `Logged in to ${plain(result.agent)}: ${plain(result.done)}. Send your message again.`
      : result.ways.length === 0
        ? `${plain(result.agent)} offers no way to log in from here.`
        : result.ways
            .map(
              ({ id, name, about }) =>
                `- ${plain(name)} (${plain(id)})${about === '' ? '' : `: ${plain(about)}`}`,
            )
            .join('\n'),
})
