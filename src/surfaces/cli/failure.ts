/** Tells what went wrong: in words, or as one JSON line; always on stderr, so that results stay results. */
import { diskError, inTheWay } from '../../engine/disk-error.ts'
import { EngineError, type ErrorCode } from '../../engine/errors.ts'
import { errorText } from '../../lib/error-text.ts'
import { noteFailure } from '../../lib/telemetry.ts'
import { exitCodes } from './exit-codes.ts'
import type { Output } from './output.ts'
import { red } from './render/span.ts'

type Failure = {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export function tellFailure(
  out: Output,
  error: unknown,
  { json }: { readonly json: boolean },
): number {
  const { code, message, details } = failureOf(error)
  noteFailure(code === 'internal' ? 'error' : 'info', 'command', error, code)
  if (json) out.noteRecord({ error: { code, message, details } })
  else message.split('\n').forEach((line, at) => out.note(at === 0 ? red('reprise: ') : '', line))
  return exitCodes[code]
}

function failureOf(thrown: unknown): Failure {
  const error = diskError(thrown) ?? inTheWay(thrown) ?? thrown
  if (error instanceof EngineError) {
    const { code, message, details } = error
    return { code, message, details }
  }
  return { code: 'internal', message: errorText(error), details: {} }
}
