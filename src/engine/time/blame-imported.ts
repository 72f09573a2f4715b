/** Who wrote lines, asked of a session that was imported: its edits are read newest first, by the diffs that came along. */
import { resolve } from 'node:path'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { logPath } from '../../format/paths.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import { readBackward } from '../../log/backward.ts'
import { writtenBy } from '../../project/blame-diff.ts'
import type { EngineContext } from '../engine-context.ts'
import type { SessionSummary } from '../home/catalogue-row.ts'
import { sessionDir } from '../session-dir.ts'

type Wrote = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly toolCallId: string
}

type Lines = {
  readonly file: string
  readonly lines: readonly string[]
  /** Those that are asked for, counted from 0. */
  readonly open: ReadonlyMap<number, unknown>
}

type Edit = { readonly toolCallId: string; readonly at: string; readonly diff: string }

export async function blameImported(
  { fs, cwd }: EngineContext,
  session: SessionSummary,
  { file, lines, open }: Lines,
): Promise<ReadonlyMap<number, Wrote>> {
  const found = new Map<number, Wrote>()
  /** Lines of edits whose prompt comes before them. */
  let edited = new Map<number, Edit>()
  /** Edits of which the result does not say the file, or what was written: both stand in the call. */
  const waiting = new Map<string, Waiting>()
  const from = session.cwd ?? cwd
  for await (const { records } of readBackward(fs, logPath(sessionDir(session.id))))
    for (const { event } of records) {
      if (found.size === open.size) return found
      if ('stranger' in event) continue
      if (event.type === 'user.message' && event.agentId === undefined) {
        const { id: eventId, data } = event
        for (const [index, { toolCallId, at }] of edited)
          found.set(index, { toolCallId, at, eventId, prompt: data.content })
        edited = new Map()
      }
      const edit = editIn(event, file, from, waiting)
      if (edit === undefined) continue
      const left = [...open.keys()].filter((index) => !found.has(index) && !edited.has(index))
      for (const index of writtenBy(edit.diff, lines, left)) edited.set(index, edit)
    }
  return found
}

type Waiting = { readonly at: string; readonly diff: string | undefined }

/** What an event did to the file. */
function editIn(
  event: Exclude<Event, Stranger>,
  file: string,
  from: string,
  waiting: Map<string, Waiting>,
): Edit | undefined {
  if (event.type === 'tool.execution_complete') {
    const { toolCallId, success, result, fileEdits } = event.data
    const diff = result?.detailedContent
    const isOfFile = fileEdits?.some(({ path }) => resolve(from, path) === file)
    if (!success || isOfFile === false || (fileEdits === undefined && diff === undefined))
      return undefined
    if (isOfFile === undefined || diff === undefined)
      waiting.set(toolCallId, { at: event.timestamp, diff })
    else return { toolCallId, at: event.timestamp, diff }
  } else if (event.type === 'tool.execution_start') {
    const { toolCallId, arguments: args } = event.data
    const edit = waiting.get(toolCallId)
    const given = fieldsOf(args)
    const path = PATHS.map((name) => textIn(given, name)).find((each) => each !== undefined)
    if (edit === undefined || path === undefined || resolve(from, path) !== file) return undefined
    const content = textIn(given, 'content') ?? textIn(given, 'file_text') ?? ''
    const whole = ['@@', ...content.split(/\r?\n/).map((text) => `+${text}`)].join('\n')
    return { toolCallId, at: edit.at, diff: edit.diff ?? whole }
  }
  return undefined
}

/** As tools call the file that they change. */
const PATHS = ['path', 'file_path', 'filePath']
