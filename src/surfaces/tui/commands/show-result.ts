/** Runs one command and tells its result: said in a line, or shown as a page. What wants to be confirmed is asked for. */
import type { z } from 'zod'
import type { Command } from '../../../commands/command.ts'
import { slash } from '../../../commands/fields.ts'
import { unmarked } from '../../../commands/markdown.ts'
import type { Args } from '../../../commands/parse.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import type { CommandHost } from './command.ts'

/** `show` is a view of the result in place of its words. */
export async function runShown(
  host: CommandHost,
  command: Command,
  args: Args,
  show?: (host: CommandHost, result: unknown, args: Args) => Promise<void>,
): Promise<void> {
  let back: string | undefined
  const context = host.context(command)
  // What is given back stands below what is said of it.
  const view = context.view && { ...context.view, write: (text: string) => void (back = text) }
  const confirm = (question: string) => host.confirm(question)
  const result = await command.run({ ...context, ...defined({ view }), confirm }, args)
  const question = askedIn(result)
  if (question !== undefined) {
    if (await host.confirm(question)) await runShown(host, command, { ...args, yes: true }, show)
    return
  }
  if (show === undefined) tellResult(host, command, result)
  else await show(host, result, args)
  if (back !== undefined) host.write(back)
  if (command.changes !== 'nothing') await host.refresh()
}

export function tellResult<Result>(
  host: CommandHost,
  command: Pick<Command<z.ZodRawShape, Result>, 'name' | 'changes' | 'say'>,
  result: Result,
): void {
  const said = command.say(result, { now: host.now, call: slash })
  if (said === '') return
  const isRead = command.changes === 'nothing'
  // A block, as the code of a link, keeps its shape on a page alone.
  const isPage = isRead ? said.includes('\n') : /^~{3}/m.test(said)
  if (isPage) return void host.page(titleOf(command.name), said)
  host.say(said.split('\n').map(unmarked).join('\n'), isRead ? 'faint' : 'good')
}

const titleOf = (name: string): string => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`

/** What wants to be confirmed has done nothing yet, and asks. */
const askedIn = (result: unknown): string | undefined =>
  typeof result === 'object' && result !== null && 'asked' in result
    ? String(result.asked)
    : undefined

/** The result alone; `on` is another session than the one on the screen. */
export const resultOf = <Shape extends z.ZodRawShape, Result>(
  host: CommandHost,
  command: Command<Shape, Result>,
  args: z.output<z.ZodObject<Shape>>,
  on?: SessionId,
): Promise<Result> => command.run(host.context(command, on), args)
