/**
 * Runs a shell command in the project. Its output is told as it comes and kept within bounds. Each command has a
 * process of its own; where shells are kept, the next one begins in the directory and environment that it left.
 */
import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { fieldsOf } from '../../lib/fields.ts'
import { headAndTail, preview } from '../../state/preview.ts'
import type { Ended } from './command.ts'
import { runEnclosed, type EndedWithNotes } from './enclosed-command.ts'
import { quoteOdd } from './paths.ts'
import { missedLine } from './missed-variables.ts'
import { noteRunning } from './running-commands.ts'
import { shellDeed } from './shell-deed.ts'
import { keptShells, type KeptShells } from './shell-state.ts'
import { ToolFailure, type FailureCode, type Tool, type ToolResult } from './tool.ts'

const DEFAULT_TIMEOUT_S = 120
const MAX_TIMEOUT_S = 24 * 60 * 60
const MAX_TOLD_CHARS = 4096

const Args = z.object({
  command: z
    .string()
    .refine((command) => command.trim() !== '', 'is empty')
    .refine((command) => !command.includes('\0'), 'holds a NUL character'),
  timeout: z
    .number()
    .positive()
    .max(MAX_TIMEOUT_S)
    .optional()
    .describe(`Seconds after which the command is stopped; ${DEFAULT_TIMEOUT_S} when left out.`),
})

type Bash = Tool<z.output<typeof Args>>

/** Every command in a new shell. */
export const bash: Bash = bashTool(
  'Runs a command in a new shell in the working directory, without input. Gives its output and exit code.',
)

/** One shell for each session, as far as its directory and its exported variables go. */
export const persistentBash = (): Bash =>
  bashTool(
    'Runs a bash command without input and gives its output and exit code. The directory and the exported variables ' +
      'carry over to the next command; functions, aliases and shell options do not. Paths of other tools are still ' +
      'taken from the project directory.',
    keptShells(),
  )

function bashTool(description: string, shells?: KeptShells): Bash {
  return {
    name: 'bash',
    description,
    args: Args,
    started: (args) => {
      const { command } = fieldsOf(args)
      const hasWriteFileRedirection = typeof command === 'string' && command.includes('>')
      return { shellToolInfo: { possiblePaths: [], hasWriteFileRedirection } }
    },
    async permission({ command }, context) {
      const { cwd = context.cwd } = (await shells?.of(context)) ?? {}
      return shellDeed(command, `Run ${preview(command, 200)}`, cwd)
    },
    async *run({ command: text, timeout = DEFAULT_TIMEOUT_S }, context) {
      const { signal, workspacePath, toolCallId = '' } = context
      signal.throwIfAborted()
      const alone = new AbortController()
      using _running = noteRunning(workspacePath, toolCallId, () => alone.abort())
      await using shell = await shells?.open(context)
      const { cwd = context.cwd, env } = shell ?? {}
      // In an editor people see what runs: nothing of ours stands before it.
      const unseen =
        context.editor?.offered().terminals === true ? await shell?.unseen() : undefined
      const ended = yield* runEnclosed(context, {
        command: text,
        text: unseen === undefined ? (shell?.wrapped(text) ?? text) : text,
        options: {
          cwd,
          signal: AbortSignal.any([signal, alone.signal]),
          timeoutMs: timeout * 1000,
          ...defined({ env: unseen === undefined ? env : { ...env, ...unseen } }),
        },
      })
      signal.throwIfAborted()
      const left = await shell?.keep()
      if (ended.stopped === 'timeout') throw timedOut(ended, timeout)
      if (ended.stopped === 'aborted') throw stoppedAlone(ended)
      const missed = missedLine(text, ended)
      return resultOf(
        ended,
        defined({ elsewhere: left === context.cwd ? undefined : left, missed }),
      )
    },
  }
}

function resultOf(
  { output, exitCode, leftRunning, notes: told }: EndedWithNotes,
  { elsewhere, missed }: { readonly elsewhere?: string; readonly missed?: string },
): ToolResult {
  const notes = [
    ...(leftRunning
      ? ['<a process in the background goes on; its further output is not read>']
      : []),
    ...(exitCode === 0 ? [] : [`<exited with exit code ${exitCode}>`]),
    ...told,
    ...(missed === undefined ? [] : [missed]),
    ...(elsewhere === undefined ? [] : [`<the shell is now in ${quoteOdd(elsewhere)}>`]),
  ]
  const lines = output.trimEnd() === '' ? [] : [output.trimEnd()]
  return { content: [...lines, ...notes].join('\n'), exitCode }
}

const timedOut = (ended: Ended, timeout: number): ToolFailure =>
  cutShort('timeout', `The command did not end within ${timeout} seconds and was stopped.`, ended)

const stoppedAlone = (ended: Ended): ToolFailure =>
  cutShort('failed', 'The user stopped this command before it ended; go on without it.', ended)

function cutShort(
  code: FailureCode,
  why: string,
  { output: content, exitCode }: Ended,
): ToolFailure {
  const told = headAndTail(content.trimEnd(), MAX_TOLD_CHARS)
  const before = told === '' ? 'It had written nothing.' : `It had written:\n${told}`
  return new ToolFailure(code, `${why} ${before}`, { content, exitCode })
}
