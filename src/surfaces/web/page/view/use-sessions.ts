/** The list of sessions that fit what is typed, kept in step with what happens in any session. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { SessionsAnswer } from '../../api.ts'
import { get, isOffline, sentence, type Query } from '../client.ts'
import { afterChange } from '../model/sessions.ts'
import { onceBack, watchSessions } from '../live/shared-stream.ts'
import { createReloads } from '../live/reloads.ts'
import type { Failure } from './failed.tsx'

const PAGE = 200
const TYPING_MS = 120
const RELOAD_MS = 300

export function useSessions(query: string, filter: Query) {
  const key = JSON.stringify(filter)
  const [list, setList] = useState<SessionsAnswer>({ sessions: [], total: 0, more: false })
  const [limit, setLimit] = useState(PAGE)
  const [version, setVersion] = useState(0)
  const [isLoaded, setLoaded] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  const isAsking = useRef(false)
  const again = useCallback(() => setVersion((count) => count + 1), [])
  const [reloads] = useState(() =>
    createReloads({ reload: again, soonMs: RELOAD_MS, isHidden: () => document.hidden }),
  )

  useEffect(() => {
    const abort = new AbortController()
    isAsking.current = true
    const end = reloads.begin()
    const timer = setTimeout(
      () =>
        void getAll({ ...(JSON.parse(key) as Query), q: query }, limit, abort.signal)
          .then(
            (answer) => {
              isAsking.current = false
              setFailure(undefined)
              setList(answer)
              setLoaded(true)
            },
            (error: unknown) => {
              if (abort.signal.aborted) return
              isAsking.current = false
              setFailure({ text: sentence(error), again })
              if (isOffline(error)) onceBack(again, abort.signal)
            },
          )
          .then(end),
      version === 0 && query === '' ? 0 : TYPING_MS,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
      end()
    }
  }, [query, key, limit, version])

  useEffect(() => {
    const stop = watchSessions((events) => {
      setList((before) => {
        let { sessions } = before
        for (const event of events)
          if (event.kind === 'changed') sessions = afterChange(sessions, event.change).sessions
        return { ...before, sessions }
      })
      // A list that is on its way may tell how it was before this.
      const isStale = (event: (typeof events)[number]) =>
        isAsking.current || event.kind === 'ready' || event.change.kind !== 'status'
      if (events.some(isStale)) reloads.soon()
    })
    document.addEventListener('visibilitychange', reloads.look)
    return () => {
      document.removeEventListener('visibilitychange', reloads.look)
      reloads.stop()
      stop()
    }
  }, [])

  const loadMore = () => {
    if (list.more && list.sessions.length >= limit) setLimit(limit + PAGE)
  }
  return { sessions: list.sessions, total: list.total, isLoaded, failure, loadMore }
}

/** The server gives at most so many at once. */
const MOST_AT_ONCE = 500

async function getAll(query: Query, limit: number, signal: AbortSignal): Promise<SessionsAnswer> {
  const first = Math.min(limit, MOST_AT_ONCE)
  let answer = await get<SessionsAnswer>(
    '/api/sessions',
    { ...query, limit: first, sort: 'time' },
    signal,
  )
  while (answer.more && answer.sessions.length < limit) {
    const rest = await get<SessionsAnswer>(
      '/api/sessions',
      { ...query, limit: MOST_AT_ONCE, offset: answer.sessions.length, sort: 'time' },
      signal,
    )
    answer = { ...rest, sessions: [...answer.sessions, ...rest.sessions] }
  }
  return answer
}
