/** What tools told of files that they changed, read from the log: for turns of which no contents were recorded. */
import { resolve } from 'node:path'
import type { EventOf, Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText } from '../../lib/bytes.ts'
import { logPath } from '../../format/paths.ts'
import { readBlob } from '../../log/blobs.ts'
import { readLog } from '../../log/read.ts'
import { toldEdits, type ToldEdit } from '../../state/reported-edits.ts'
import { startsTurn } from '../../state/turns.ts'

type ToldChange = ToldEdit & {
  /** Absolute. */
  readonly file: string
  /** The message that began the turn, and what it says. */
  readonly eventId: EventId
  readonly prompt: string
  readonly toolCallId: string
  readonly at: string
}

type Where = {
  readonly fs: SessionFs
  /** The session's folder. */
  readonly dir: string
  /** Where its tools ran. */
  readonly cwd: string
  /** The part of the log; all of it by default. */
  readonly from?: number
  readonly to?: number
}

/** In their order. Turns that are not wanted are passed over. */
export async function* toldChanges(
  { fs, dir, cwd, ...range }: Where,
  isWanted: (turn: EventId) => boolean = () => true,
): AsyncGenerator<ToldChange, void, void> {
  let turn: EventOf<'user.message'> | undefined
  const started = new Map<string, Payload<'tool.execution_start'>>()
  const told = new Set<EventId>()
  for await (const { records } of readLog(fs, logPath(dir), { ...range, only: TELLING }))
    for (const { event } of records) {
      if ('stranger' in event) continue
      if (event.type === 'user.message' && startsTurn(event)) turn = event
      if (turn === undefined || !isWanted(turn.id)) continue
      if (event.type === 'tool.execution_start') started.set(event.data.toolCallId, event.data)
      // One that was written twice told it once.
      if (event.type !== 'tool.execution_complete' || told.has(event.id)) continue
      const { toolCallId } = event.data
      const call = started.get(toolCallId)
      started.delete(toolCallId)
      const about = { toolCallId, at: event.timestamp, eventId: turn.id, prompt: turn.data.content }
      for (const edit of toldEdits(call ?? { toolName: '' }, await whole(fs, dir, event.data))) {
        told.add(event.id)
        yield { ...edit, ...about, file: resolve(cwd, edit.path) }
      }
    }
}

const TELLING = new Set([
  'user.message',
  'tool.execution_start',
  'tool.execution_complete',
] as const)

/** With its diff as it was, where that was so long that it stands beside the log. */
async function whole(
  fs: SessionFs,
  dir: string,
  data: Payload<'tool.execution_complete'>,
): Promise<Payload<'tool.execution_complete'>> {
  const blob = data.reprise?.blobs?.find(({ field }) => field === 'result.detailedContent')
  if (blob === undefined || data.result === undefined) return data
  // One that is damaged, or gone, is no reason to show nothing of the others.
  const bytes = await readBlob(fs, dir, blob.sha256).catch(() => undefined)
  if (bytes === undefined) return data
  return { ...data, result: { ...data.result, detailedContent: decodeText(bytes) } }
}
