/** The log of a session of another machine, as the beginning of one of this home: under its own id, without what was only true there. */
import type { SessionId } from '../../format/ids.ts'

/** They tell of the other machine alone. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'session.remote_steerable_changed',
  'session.shutdown',
])

type Line = {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** A line that is the same there and here keeps its bytes. */
export function* replayed(lines: Iterable<string>, id: SessionId): Generator<string, void, void> {
  let parentId: string | null = null
  for (const line of lines) {
    const event = JSON.parse(line) as Line
    if (LEFT_OUT.has(event.type)) continue
    const isStart = event.type === 'session.start'
    if (!isStart && event.parentId === parentId) yield line
    else yield JSON.stringify({ ...event, parentId, ...(isStart && { data: startOf(event, id) }) })
    parentId = event.id
  }
}

function startOf({ data }: Line, sessionId: SessionId): Line['data'] {
  const { remoteSteerable: _there, ...rest } = data
  return { ...rest, sessionId }
}
