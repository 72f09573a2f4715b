/** What waits, works, failed or ended, over all sessions: asked for again whenever something changes in any of them. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { InboxAnswer } from '../../api.ts'
import { get, isOffline, sentence } from '../client.ts'
import { onceBack, watchSessions } from '../live/shared-stream.ts'
import { createReloads } from '../live/reloads.ts'
import { createSeen } from '../model/seen.ts'
import type { Failure } from './failed.tsx'

export type InboxItem = InboxAnswer['items'][number]

export type Inbox = {
  readonly isLoaded: boolean
  readonly failure: Failure | undefined
  readonly items: readonly InboxItem[]
  readonly waiting: readonly InboxItem[]
  /** Failed or finished since they were last looked at. */
  readonly unseen: readonly InboxItem[]
  readonly markOf: (id: string) => 'failed' | 'finished' | undefined
  readonly look: (item: InboxItem) => void
  readonly refresh: () => void
}

const RELOAD_MS = 250
const seen = createSeen(localStorage)

export function useInbox(openId: string | undefined): Inbox {
  const [answer, setAnswer] = useState<InboxAnswer>()
  const [version, setVersion] = useState(0)
  const [failure, setFailure] = useState<Failure>()
  const refresh = useCallback(() => setVersion((count) => count + 1), [])
  const [reloads] = useState(() => createReloads({ reload: refresh, soonMs: RELOAD_MS }))

  useEffect(() => {
    const abort = new AbortController()
    const end = reloads.begin()
    void get<InboxAnswer>('/api/inbox', {}, abort.signal)
      .then(
        (given) => {
          setAnswer(given)
          setFailure(undefined)
        },
        (error: unknown) => {
          if (abort.signal.aborted) return
          setFailure({ text: sentence(error), again: refresh })
          if (isOffline(error)) onceBack(refresh, abort.signal)
        },
      )
      .then(end)
    return () => {
      abort.abort()
      end()
    }
  }, [version])
  useEffect(() => {
    const stop = watchSessions(reloads.soon)
    return () => {
      reloads.stop()
      stop()
    }
  }, [])

  // Who has it open in front of them has seen it.
  const open = answer?.items.find(({ id }) => id === openId)
  if (open !== undefined && !document.hidden) seen.look(open.id, open.modifiedAt)

  return useMemo(() => {
    const items = answer?.items ?? []
    const unseen = items.filter(
      ({ id, why, modifiedAt }) =>
        (why === 'failed' || why === 'finished') && seen.isUnseen(id, modifiedAt),
    )
    const marks = new Map<string, 'failed' | 'finished'>(
      unseen.map(({ id, why }) => [id, why === 'failed' ? 'failed' : 'finished']),
    )
    return {
      isLoaded: answer !== undefined,
      failure,
      items,
      waiting: items.filter(({ why }) => why === 'waits'),
      unseen,
      markOf: (id: string) => marks.get(id),
      look: (item: InboxItem) => {
        seen.look(item.id, item.modifiedAt)
        refresh()
      },
      refresh,
    }
  }, [answer, failure, openId, refresh])
}
