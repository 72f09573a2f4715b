/** `/rename`: the session is called something else. */
import { z } from 'zod'
import { command } from './command.ts'
import { plain } from './markdown.ts'

export const rename = command({
  name: 'rename',
  aliases: ['session rename'],
  summary: 'give the session another name',
  changes: 'sessions',
  on: 'session',
  args: z.object({ name: z.string().describe('the new name') }),
  words: ['name…'],
  async run(context, { name }) {
    const session = await context.session()
    await session.save()
    return { id: session.id, name: await session.rename(name) }
  },
  say: ({ name }) => `The session is now called "${plain(name)}".`,
})
