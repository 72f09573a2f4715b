/** The main views of the terminal as text, made by bringing each onto a screen. For docs/tui.md. */
import { views } from '../test/tui/views.ts'

const titles: Readonly<Record<string, string>> = {
  greeting: 'The first start',
  conversation: 'An answer, with a thought folded and the context meter below',
  'permission-with-a-diff': 'The agent asks before it writes',
  'folded-output-and-a-queue': 'Long output folded, an answer on its way, a message waiting',
  'a-command-of-your-own': 'A command that you run yourself',
  context: 'What fills the window',
  rewind: 'Going back in time',
  picker: 'Choosing a session',
}

export async function tuiScreens(): Promise<string> {
  const parts: string[] = []
  for (const [name, title] of Object.entries(titles)) {
    const shown = (await views[name]?.({ columns: 80, rows: 24 })) ?? ''
    // A screen that is mostly empty is shown from its first line on.
    const lines = shown.replace(/^\n+/, '').replace(/\n{4,}/g, '\n\n\n')
    parts.push(`**${title}**`, `\`\`\`text\n${lines}\n\`\`\``)
  }
  return parts.join('\n\n')
}
