/** `-p "/…"`: a command of the table in place of a message. No model is asked for it. */
import type { Command } from '../../commands/command.ts'
import { slash } from '../../commands/fields.ts'
import { askAgent, tableWith } from '../../commands/offered.ts'
import { isUnknown, typed, type Typed, type Wanted } from '../../commands/parse.ts'
import { isOffered, perform } from '../../commands/perform.ts'
import { readTyped } from '../../commands/read-typed.ts'
import { table } from '../../commands/table.ts'
import { userCommandsOf } from '../../commands/user-commands.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import { chooseSession } from './choose-session.ts'
import { usage, type Cli, type Given } from './command.ts'
import { withContext } from './command-context.ts'
import { markdownLines } from './render/markdown.ts'
import { dim } from './render/span.ts'

/** The machine is the one thing of these that a command line has. */
const own = table.filter((command) => command.needs === 'machine' || isOffered(command, {}))

/** Undefined when the name is not in the table: the agent may know it. */
export function readPrompt(prompt: string): Typed | undefined {
  try {
    return typed(own, prompt)
  } catch (error) {
    if (isUnknown(error)) return undefined
    throw error
  }
}

/** What is sent to the agent, which is asked for its commands when nobody else knows this one. */
export async function messageIn(cli: Cli, session: Session, prompt: string): Promise<string> {
  const { given } = await readTyped(prompt, [() => own, () => tableOf(cli, session)])
  return 'message' in given ? given.message : prompt
}

async function tableOf(cli: Cli, session: Session): Promise<readonly Command[]> {
  const theirs = await askAgent(session, cli.signal)
  return tableWith(own, [...theirs, ...(await userCommandsOf(await cli.engine(), session))])
}

export async function runSlash(cli: Cli, given: Given, wanted: Wanted): Promise<void> {
  const session = async () => sessionFor(cli, await cli.engine(), given, wanted.command)
  await withContext(cli, given, { table: own, session }, async (context) => {
    const { said, result } = await perform({ ...context, call: slash }, wanted)
    if (cli.json) cli.out.json(result ?? null)
    else if (cli.out.isTerminal) for (const spans of markdownLines(said)) cli.out.line(...spans)
    else cli.out.block(said)
  })
}

/** The session that `-p` would talk to. Where that would be a new one, the nearest can be looked at, but not changed. */
async function sessionFor(
  cli: Cli,
  engine: Engine,
  given: Given,
  { name, changes }: Command,
): Promise<Session> {
  const isNamed = given.optional('resume') !== undefined || given.flag('continue')
  if (isNamed) return engine.open((await chooseSession(cli, engine, given)).id)
  if (changes !== 'nothing')
    throw usage(
      `/${name} changes a session: say which with --continue or --resume <session>. Nothing was changed.`,
    )
  const id = await engine.latestFor(await engine.project(cli.cwd))
  if (id === undefined)
    throw new EngineError('not_found', 'There is no session yet. "reprise -p <text>" starts one.')
  cli.out.note(dim(`session ${id.slice(0, 8)}, the nearest to this directory`))
  return engine.open(id)
}
