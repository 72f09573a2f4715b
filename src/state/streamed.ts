/** The lines that a turn writes while it says something (engine/live/stream-lines.ts), read back. Pure. */
import { readNotice, type Notice } from '../format/notice.ts'
import { PIECES, createPieces, isPiece, type Pieces } from './unfinished.ts'

type StreamOwner = {
  readonly turn: string
  /** The id of the event, undefined when nothing was said in the session before. */
  readonly after?: string | undefined
}

export type Streamed = { readonly owner: StreamOwner; readonly pieces: Pieces }

/** What a follower is told of a line: nothing of an owner, of a part that it had, or of what is no line. */
export function noticeIn(line: string): Notice | undefined {
  return readNotice(parsed(line))
}

/** Undefined when it does not say whose words it holds. */
export function streamedIn(text: string): Streamed | undefined {
  const [first = '', ...lines] = text.split('\n')
  const { turn, after } = (parsed(first) ?? {}) as Readonly<Record<string, unknown>>
  if (typeof turn !== 'string') return undefined
  const pieces = createPieces()
  for (const line of lines) {
    const value = parsed(line)
    const notice = readNotice(value) ?? readNotice((value as { kept?: unknown } | null)?.kept)
    if (notice !== undefined) pieces.hear(notice)
  }
  return { owner: { turn, after: typeof after === 'string' ? after : undefined }, pieces }
}

/** What was said, thought and printed and is in no event, each part whole. */
export const wordsOf = ({ pieces }: Streamed): readonly string[] =>
  pieces.notices().flatMap((notice) => {
    if (!isPiece(notice)) return []
    const text = (notice.data as Readonly<Record<string, unknown>>)[PIECES[notice.type]]
    return typeof text === 'string' ? [text] : []
  })

function parsed(line: string): unknown {
  if (line === '') return undefined
  try {
    return JSON.parse(line) as unknown
  } catch {
    // A line that was cut while it was read or written: its piece is missing, the others are not.
    return undefined
  }
}
