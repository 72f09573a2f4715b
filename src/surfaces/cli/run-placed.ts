/**
 * Runs a command of the table on the command line: for a session that a word names, after a question where it wants one
 * answered. What it says is printed unless a view shows it.
 */
import type { Command as Action } from '../../commands/command.ts'
import type { Field } from '../../commands/fields.ts'
import { findSession } from '../../commands/find-session.ts'
import { farBehind } from '../../commands/remote-query.ts'
import { behind } from '../../commands/fresh-store.ts'
import { checked, type Args } from '../../commands/parse.ts'
import { perform } from '../../commands/perform.ts'
import { confirm, readAll } from './ask.ts'
import type { FarBehind } from '../../store/far-store.ts'
import type { Cli, Given, Placed } from './command.ts'
import { withContext } from './command-context.ts'
import { OK } from './exit-codes.ts'
import { takesSession } from './find-command.ts'
import { markdownLines } from './render/markdown.ts'
import { yellow } from './render/span.ts'

type Wanted = {
  readonly row: Placed
  readonly action: Action
  readonly fields: readonly Field[]
  /** The option that the action stands for, with its value as the word of it. */
  readonly flag?: string | undefined
}

export async function runPlaced(cli: Cli, given: Given, wanted: Wanted): Promise<number> {
  const { row, action, flag } = wanted
  const raw = await rawArguments(cli, given, wanted)
  const args = checked(action, raw, `reprise ${row.name}`)
  const view = flag === undefined ? await row.view?.() : undefined
  const word = takesSession(row) ? given.word(0) : undefined
  const found = word === undefined ? undefined : await findSession(cli, await cli.engine(), word)
  return withContext(cli, given, { table: [action], session: found }, async (context) => {
    const planned = {
      context,
      run: (more: Args) => action.run(context, { ...args, ...more }),
    }
    const ended = await view?.before?.(cli, given, planned)
    if (typeof ended === 'number') return ended
    let { result, said } = await perform(context, { command: action, args })
    const question = askedIn(result)
    if (question !== undefined) {
      await confirmShown(cli, question)
      ;({ result, said } = await perform(context, {
        command: action,
        args: { ...args, yes: true },
      }))
    }
    if (isStale(result) && !cli.signal.aborted) cli.out.note(yellow(behind(context)))
    for (const unread of farBehind(unreadIn(result))) cli.out.note(yellow(unread))
    const say = () => print(cli, said, isDocument(row, result))
    if (cli.json) cli.out.json(view?.json ? await view.json(cli, result, given) : (result ?? null))
    else if (view?.show) await view.show(cli, result, given, say)
    else say()
    return view?.code?.(result) ?? OK
  })
}

/** What it is about is shown above the question, also where nobody can be asked. */
async function confirmShown(cli: Cli, asked: string): Promise<void> {
  const at = asked.lastIndexOf('\n\n')
  if (at !== -1) for (const spans of markdownLines(asked.slice(0, at))) cli.out.note(...spans)
  await confirm(cli, asked.slice(at + 1).trim(), false)
}

async function rawArguments(cli: Cli, given: Given, { row, fields, flag }: Wanted): Promise<Args> {
  const first = takesSession(row) ? 1 : 0
  const options = given.all() as Args
  const raw: Record<string, unknown> = {}
  for (const { key, place, takesRest } of fields) {
    const words = place === undefined ? [] : given.words(first + place)
    const value = flag === undefined ? options[key] : given.text(flag)
    if (value !== undefined) raw[key] = value
    if (words.length > 0)
      raw[key] = takesRest ? (row.join ?? joined)(words, given) : (words[0] ?? '')
    if (takesRest && raw[key] === '-' && row.join === undefined)
      raw[key] = await readAll(cli.host.stdin, cli.signal)
  }
  return raw
}

const joined = (words: readonly string[]): string => words.join(' ')

/** What wants to be confirmed has done nothing yet, and asks. */
const askedIn = (result: unknown): string | undefined =>
  typeof result === 'object' && result !== null && 'asked' in result
    ? String(result.asked)
    : undefined

const isStale = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'stale' in result && result.stale === true

/** What Mission Control had not read when it answered. */
const unreadIn = (result: unknown): FarBehind | undefined =>
  typeof result === 'object' && result !== null && 'behind' in result
    ? (result.behind as FarBehind | undefined)
    : undefined

const isDocument = ({ isDocument: is = () => false }: Placed, result: unknown): boolean =>
  is === true || is(result)

function print({ out }: Cli, said: string, asIs: boolean): void {
  if (asIs && !out.isTerminal) out.block(said)
  else for (const spans of markdownLines(said)) out.line(...spans)
}
