/** `board add`. */
import { defined } from '../../../lib/defined.ts'
import { readAll } from '../ask.ts'
import { PERSON, projectHere, showEntry, withBoard } from '../board.ts'
import type { Cli, Given, Run } from '../command.ts'
import { usage } from '../command.ts'

export const run: Run = async (cli, given) => {
  const [name, word] = [given.word(0), given.word(1)]
  if (name === undefined || word === undefined) {
    throw usage('board add wants a name and what is to be kept.')
  }
  const content = word === '-' ? await readAll(cli.host.stdin, cli.signal) : word
  const place = await placeOf(cli, given)
  const description = given.text('about')
  const entry = await withBoard(cli, (board) =>
    board.add({
      ...place,
      src: PERSON,
      name,
      content,
      ...defined({ description }),
    }),
  )
  if (cli.json) cli.out.json(entry)
  else showEntry(cli, entry)
}

async function placeOf(cli: Cli, given: Given): Promise<{ repository: string; branch?: string }> {
  const branch = given.text('branch')
  const repository = given.text('repo') ?? (await projectHere(cli))
  return { repository, ...defined({ branch }) }
}
