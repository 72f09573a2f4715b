/** Who wrote a line, asked of a session that was imported: its edits are read newest first, by the diffs that came along. */
import { resolve } from 'node:path'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { logPath } from '../../format/paths.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import { readBackward } from '../../log/backward.ts'
import { hasWritten } from '../../project/blame-diff.ts'
import type { EngineContext } from '../context.ts'
import type { SessionSummary } from '../home/catalogue-row.ts'
import { sessionDir } from '../session-dir.ts'

type Wrote = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly toolCallId: string
}

type Line = { readonly file: string; readonly lines: readonly string[]; readonly at: number }

export async function blameImported(
  { fs, cwd }: EngineContext,
  session: SessionSummary,
  line: Line,
): Promise<Wrote | undefined> {
  let wrote: Omit<Wrote, 'eventId' | 'prompt'> | undefined
  /** Edits of which the result does not say the file, or what was written: both stand in the call. */
  const waiting = new Map<string, Waiting>()
  const from = session.cwd ?? cwd
  for await (const { records } of readBackward(fs, logPath(sessionDir(session.id))))
    for (const { event } of records) {
      if ('stranger' in event) continue
      if (wrote === undefined) wrote = wroteIn(event, line, from, waiting)
      else if (event.type === 'user.message' && event.agentId === undefined)
        return { ...wrote, eventId: event.id, prompt: event.data.content }
    }
  return undefined
}

type Waiting = { readonly at: string; readonly diff: string | undefined }

function wroteIn(
  event: Exclude<Event, Stranger>,
  { file, lines, at }: Line,
  from: string,
  waiting: Map<string, Waiting>,
): Omit<Wrote, 'eventId' | 'prompt'> | undefined {
  if (event.type === 'tool.execution_complete') {
    const { toolCallId, success, result, fileEdits } = event.data
    const diff = result?.detailedContent
    const isOfFile = fileEdits?.some(({ path }) => resolve(from, path) === file)
    if (!success || isOfFile === false || (fileEdits === undefined && diff === undefined))
      return undefined
    if (isOfFile === undefined || diff === undefined)
      waiting.set(toolCallId, { at: event.timestamp, diff })
    else if (hasWritten(diff, lines, at)) return { toolCallId, at: event.timestamp }
  } else if (event.type === 'tool.execution_start') {
    const { toolCallId, arguments: args } = event.data
    const edit = waiting.get(toolCallId)
    const given = fieldsOf(args)
    const path = PATHS.map((name) => textIn(given, name)).find((each) => each !== undefined)
    if (edit === undefined || path === undefined || resolve(from, path) !== file) return undefined
    const content = textIn(given, 'content') ?? textIn(given, 'file_text') ?? ''
    const whole = ['@@', ...content.split(/\r?\n/).map((text) => `+${text}`)].join('\n')
    if (hasWritten(edit.diff ?? whole, lines, at)) return { toolCallId, at: edit.at }
  }
  return undefined
}

/** As tools call the file that they change. */
const PATHS = ['path', 'file_path', 'filePath']
