/**
 * One command of the shell tool in the sandbox of the system. What the sandbox refuses it is asked for, as a request to
 * run the command again outside; where that is not allowed, the result names it.
 */
import { defined } from '../../lib/defined.ts'
import { preview } from '../../state/preview.ts'
import type { Command, CommandOptions, Ended } from './command.ts'
import { startProjectCommand } from './editor.ts'
import { asFailure } from './files.ts'
import { shellDeed } from './shell-deed.ts'
import type { ToolContext } from './tool.ts'

type Wanted = {
  /** As it was given and asked for. */
  readonly command: string
  /** As it is run, with what the shell tool adds. */
  readonly text: string
  readonly options: CommandOptions
}

export type EndedWithNotes = Ended & { readonly notes: readonly string[] }

export async function* runEnclosed(
  context: ToolContext,
  { command, text, options }: Wanted,
): AsyncGenerator<string, EndedWithNotes, undefined> {
  const { cwd, env } = options
  const deed = shellDeed(command, `Run ${preview(command, 200)}`, cwd)
  const request = { ...deed, toolCallId: context.toolCallId ?? '' }
  // A terminal of an editor is the editor's.
  const isOurs = context.editor?.offered().terminals !== true
  const enclosure = isOurs ? await context.sandbox?.enclose({ request, env }) : undefined
  const ended = yield* ranToItsEnd(context, text, {
    ...options,
    ...defined({ enclosed: enclosure?.start }),
  })
  const notes = enclosure?.isWhole === false ? [UNFINISHED] : []
  const refusal = ended.stopped === undefined ? enclosure?.refusal(ended) : undefined
  if (refusal === undefined || options.signal.aborted) return { ...ended, notes }
  const { line, masked, isMet } = refusal
  const said = preview(line.trim(), 300)
  const why = masked === undefined ? said : `${said} (${masked.path}: ${masked.why})`
  if (isMet) return { ...ended, notes: [...notes, `<masked by the sandbox: ${why}>`] }
  const decision = await context.leaveSandbox?.({
    ...deed,
    intention: `Run outside of the sandbox ${preview(command, 200)}`,
    requestSandboxBypass: true,
    requestSandboxBypassReason: why,
    warning: `It failed in the sandbox: ${why}. It would run once more, outside: nothing is masked or read-only there.`,
  })
  if (decision === undefined || decision.kind === 'deny') {
    const answer = decision?.feedback === undefined ? '' : ` They said: ${decision.feedback}`
    const by = decision?.by === 'person' ? 'a person kept it inside' : 'nobody let it out'
    return { ...ended, notes: [...notes, `<the sandbox refused this, and ${by}: ${why}>${answer}`] }
  }
  const again = yield* ranToItsEnd(context, text, options)
  return {
    ...again,
    notes: [...notes, `<run again outside of the sandbox, which had refused: ${why}>`],
  }
}

const UNFINISHED =
  '<the project has more files than are looked at: not all that rules deny was masked>'

async function* ranToItsEnd(
  { editor, toolCallId }: ToolContext,
  text: string,
  options: CommandOptions,
): AsyncGenerator<string, Ended, undefined> {
  const command = start(text, { ...options, toolCallId }, editor)
  try {
    while (!command.isOver) {
      await command.changed()
      const piece = command.takePiece()
      if (piece !== '') yield piece
    }
  } finally {
    command.stop()
    await command.ended.catch(() => {}) // asked again below, where a failure is told
  }
  return command.ended.catch((error) => {
    throw notStarted(error, options.cwd)
  })
}

/** Some reasons are told at once, some later. */
function start(...[text, options, editor]: Parameters<typeof startProjectCommand>): Command {
  try {
    return startProjectCommand(text, options, editor)
  } catch (error) {
    throw notStarted(error, options.cwd)
  }
}

const notStarted = (error: unknown, cwd: string) =>
  asFailure(error, `No shell could be started in ${cwd}`)
