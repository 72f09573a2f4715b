/** Which screens of the terminal docs/tui.md shows, and in which form each. `scripts/tui-pictures.ts` makes them. */

export const titles: Readonly<Record<string, string>> = {
  greeting: 'The first start',
  conversation: 'An answer, with a thought folded and the context meter below',
  'permission-with-a-diff': 'The agent asks before it writes',
  'tool-card-with-a-diff': 'What it wrote',
  question: 'A question of the agent',
  'folded-output-and-a-queue': 'Long output folded, an answer on its way, a message waiting',
  'a-command-of-your-own': 'A command that you run yourself',
  context: 'What fills the window',
  agents: 'Who could answer',
  rewind: 'Going back in time',
  'slash-completion': 'Commands as they are typed',
  picker: 'Choosing a session',
}

type Form = {
  readonly theme: 'light' | 'dark'
  readonly columns: 40 | 100
  readonly rows: number
  readonly file: string
}

/** Each way of looking at it has its turn. */
export function pictureForms(name: string): Form {
  const at = Object.keys(titles).indexOf(name)
  const theme = at % 2 === 0 ? 'light' : 'dark'
  const columns = at % 4 < 2 ? 100 : 40
  return { theme, columns, rows: 24, file: `tui-${name}-${theme}-${columns}.png` }
}

export function tuiScreens(): string {
  return Object.entries(titles)
    .flatMap(([name, title]) => {
      const { theme, columns, file } = pictureForms(name)
      return [`**${title}** (${theme}, ${columns} columns)`, `![${title}](images/${file})`]
    })
    .join('\n\n')
}
