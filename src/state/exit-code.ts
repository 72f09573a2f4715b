/** The number that a command ended with: a field of newer logs, the last words of the output in all others. */
import type { EventOf } from '../format/event.ts'
import { deedOf } from './tool-effects.ts'
import type { EntryOf } from './transcript.ts'

export const EXITED = /<?(?:exited|command failed) with exit code (-?\d+)>?\s*$/i

export function exitCodeOf(
  { shellExecution, result }: EventOf<'tool.execution_complete'>['data'],
  call: Pick<EntryOf<'tool'>, 'toolName' | 'arguments'>,
): number | undefined {
  if (shellExecution !== undefined) return shellExecution.exitCode
  if (deedOf(call.toolName, call.arguments).kind !== 'command') return undefined
  const [, code] = EXITED.exec(result?.content.slice(-200) ?? '') ?? []
  return code === undefined ? undefined : Number(code)
}

/** What a command printed, where its number is shown beside it. */
export const withoutExit = (output: string): string => output.replace(EXITED, '').trimEnd()
