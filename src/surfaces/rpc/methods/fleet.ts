/** Work that the agent spreads over sub-agents which are at it at the same time. */
import { z } from 'zod'
import { sessionMethod, type Methods } from '../method.ts'
import { message, take } from './session-turns.ts'

export const fleetMethods: Methods = {
  'session.fleet.start': sessionMethod(
    'Has the agent split its work into steps and give them to sub-agents that work side by side.',
    {
      prompt: z.string().optional(),
      attachments: message.attachments,
      wait: z.boolean().optional().describe('Answer when the turn is over.'),
    },
    async (session, { prompt: wish = '', attachments, wait }) => {
      const asked = wish.trim() === '' ? 'Go on with the steps that are left.' : wish
      const prompt = `${FLEET}\n\nThe request: ${asked}`
      const displayPrompt = wish.trim() === '' ? 'Fleet deployed' : `Fleet deployed: ${wish}`
      await take(session, { prompt, displayPrompt, attachments }, { wait })
      return { started: true }
    },
  ),
}

const FLEET = `Work as a fleet: give the work to sub-agents with the tool task, and let them work at the same time.

1. Look at the steps that are there: SELECT id, title, status FROM todos WHERE status != 'done'. When there are none, split the request into steps first, in the tables todos and todo_deps of your database, with as few dependencies as possible.
2. Start sub-agents for all steps that wait for none, in one answer, in the background when there are several. Tell each what it needs to know: it sees nothing of this conversation.
3. Have each of them set the status of its step when it ends ('done', or 'blocked' with the reason), and say what it did and what is left.
4. When they have answered, look at the table, start what became possible, and begin again until nothing is left.
5. Check the whole at the end, tests included, and mend what does not fit together.`
