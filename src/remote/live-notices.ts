/**
 * Passes on what a session says as it says it: nothing of it is kept there, and what cannot be told now is not told
 * later. In handfuls, often while it is watched there and seldom while it is not: a request costs this machine
 * more than what stands in it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../engine/session.ts'
import { isPiece, PIECES } from '../state/unfinished.ts'
import type { SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import type { Server } from './control-client.ts'

const WATCHED_MS = 100
/** So long who begins to watch waits at most for what streams. */
const UNWATCHED_MS = 1000
const MOST_NOTICES = 200

type NoticeParts = {
  readonly server: Server
  clean(notice: Notice): readonly Notice[]
  /** Brings the copy up to the log. */
  sync(id: SessionId): Promise<unknown>
}

export async function passOnNotices(
  { server, clean, sync }: NoticeParts,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  let waiting: Notice[] = []
  let isSending = false
  let isWatched = false
  let toldAt = Number.NEGATIVE_INFINITY
  const send = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    while (waiting.length > 0) {
      const rest = isWatched ? 0 : toldAt + UNWATCHED_MS - performance.now()
      await sleep(Math.max(WATCHED_MS, rest), undefined, { ref: false })
      // Who hears that it rests has what it said.
      if (waiting.some(isIdle)) await sync(session.id)
      // Joined first: secrets are looked for once in a whole piece.
      const handful = joinPieces(waiting).flatMap(clean).slice(-MOST_NOTICES)
      waiting = []
      if (handful.length === 0) continue
      toldAt = performance.now()
      // Best effort: the event brings the whole.
      isWatched = await server.notices(session.id, handful).catch(() => false)
    }
    isSending = false
  }
  for await (const item of session.follow({ fromNow: true, signal })) {
    // Told behind the next message, it would be taken for the end of that one's turn.
    if (item.kind === 'event' && item.event.type === 'user.message')
      waiting = waiting.filter((notice) => !isIdle(notice))
    if (item.kind !== 'notice') continue
    waiting.push(item.notice)
    void send()
  }
}

const isIdle = ({ type }: Notice): boolean => type === 'session.idle'

/** Pieces of one text that follow each other become one piece. */
export function joinPieces(notices: readonly Notice[]): Notice[] {
  const all: Notice[] = []
  let open: { readonly key: string; readonly texts: string[] } | undefined
  const close = () => {
    const last = all.at(-1)
    if (open === undefined || open.texts.length === 1 || last === undefined || !isPiece(last))
      return
    const data = { ...last.data, [PIECES[last.type]]: open.texts.join('') }
    all.splice(-1, 1, { ...last, data } as Notice)
  }
  for (const notice of notices) {
    const piece = isPiece(notice) ? pieceOf(notice) : undefined
    if (piece !== undefined && piece.key === open?.key) {
      open.texts.push(piece.text)
      continue
    }
    close()
    open = piece && { key: piece.key, texts: [piece.text] }
    all.push(notice)
  }
  close()
  return all
}

/** Its text, and all that tells it from pieces of other texts. */
function pieceOf(notice: Notice & { type: keyof typeof PIECES }) {
  const field = PIECES[notice.type]
  const { [field]: text, ...rest } = notice.data as Readonly<Record<string, unknown>>
  return { key: JSON.stringify([notice.type, notice.agentId, rest]), text: String(text) }
}
