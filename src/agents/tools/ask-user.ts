/** Asks the person in front of the session, and says so when nobody is there. */
import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import type { Tool } from './tool.ts'

const Args = z.object({
  question: z.string().min(1).describe('One clear question.'),
  choices: z
    .array(z.string())
    .optional()
    .describe('Answers to choose from. Another answer can always be given.'),
})

export const askUser: Tool<z.output<typeof Args>> = {
  name: 'ask_user',
  isElsewhere: true,
  description: 'Asks the user a question and gives the answer. Only for what cannot be found out.',
  args: Args,
  permission: async () => undefined,
  async run({ question, choices }, { ask }) {
    const answer = await ask?.({ question, ...defined({ choices }) })
    if (answer !== undefined) return { content: `The user answered: ${answer}` }
    return { content: 'Nobody answered. Go on with what seems best, and say what you assumed.' }
  },
}
