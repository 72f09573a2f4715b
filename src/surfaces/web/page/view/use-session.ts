/** Holds one session of the page: loads its end, follows its stream, and fetches older pages when asked to. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { SessionAnswer, StreamFrame, TranscriptAnswer } from '../../api.ts'
import { get, isUnauthorized, sentence, sessionPath } from '../client.ts'
import { listen } from '../stream.ts'
import type { Connection } from '../stream.ts'
import {
  callsForAnswer,
  emptySession,
  withAnswer,
  withFrames,
  withOlder,
  withTranscript,
} from '../model/session.ts'
import type { SessionModel } from '../model/session.ts'

type OpenSession = {
  readonly model: SessionModel
  readonly connection: Connection
  readonly failure: string | undefined
  /** Fetches the page before the first entry; does nothing at the beginning. */
  readonly loadOlder: () => Promise<void>
  /** Fetches pages until the event is held. */
  readonly seek: (eventId: string) => Promise<boolean>
  readonly refresh: () => void
}

const PAGE = 200
const LARGE_PAGE = 1000
const REFRESH_MS = 120

export function useSession(id: string): OpenSession {
  const [model, setModel] = useState(() => emptySession(id))
  const [connection, setConnection] = useState<Connection>('connecting')
  const [failure, setFailure] = useState<string>()
  const current = useRef(model)
  const loading = useRef(false)
  const refreshLater = useRef<() => void>(() => {})

  const change = useCallback((next: SessionModel) => {
    current.current = next
    setModel(next)
  }, [])

  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    let stop = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined

    const refresh = async () => {
      const answer = await get<SessionAnswer>(sessionPath(id), {}, signal)
      if (!signal.aborted) change(withAnswer(current.current, answer))
    }
    refreshLater.current = () => {
      clearTimeout(timer)
      // What cannot be asked now is asked with the next frame that calls for it, or when the stream is back.
      timer = setTimeout(() => void refresh().catch(() => {}), REFRESH_MS)
    }
    const onFrames = (frames: readonly StreamFrame[]) => {
      change(withFrames(current.current, frames))
      if (current.current.isGone) stop()
      else if (current.current.isStale) void load().catch(fail)
      else if (callsForAnswer(frames)) refreshLater.current()
    }
    const follow = () => {
      stop = listen<StreamFrame>({
        url: () => streamUrl(id, current.current.lastEventId),
        names: ['event', 'notice', 'reset', 'ready', 'gone'],
        onFrames,
        onConnection: setConnection,
      })
    }
    const load = async () => {
      stop()
      const page = await get<TranscriptAnswer>(
        sessionPath(id, '/transcript'),
        { limit: PAGE },
        signal,
      )
      if (signal.aborted) return
      setFailure(undefined)
      change(withTranscript(current.current, page))
      follow()
      await refresh()
    }
    const fail = (error: unknown) => {
      if (signal.aborted) return
      if (isUnauthorized(error)) setConnection('refused')
      else setFailure(sentence(error))
    }

    change(emptySession(id))
    setFailure(undefined)
    void load().catch(fail)
    return () => {
      abort.abort()
      clearTimeout(timer)
      stop()
    }
  }, [id, change])

  const fetchOlder = useCallback(
    async (limit: number) => {
      const { before, id: own } = current.current
      if (before === undefined || loading.current) return false
      loading.current = true
      try {
        const page = await get<TranscriptAnswer>(sessionPath(own, '/transcript'), { before, limit })
        if (current.current.id === own) change(withOlder(current.current, before, page))
        return true
      } catch (error) {
        setFailure(sentence(error))
        return false
      } finally {
        loading.current = false
      }
    },
    [change],
  )
  const loadOlder = useCallback(async () => void (await fetchOlder(PAGE)), [fetchOlder])
  const seek = useCallback(
    async (eventId: string) => {
      const isHeld = () => current.current.entries.some((entry) => entry.eventId === eventId)
      while (!isHeld() && (await fetchOlder(LARGE_PAGE)));
      return isHeld()
    },
    [fetchOlder],
  )
  const refresh = useCallback(() => refreshLater.current(), [])
  // The session that was open before is not shown under the name of this one, not even once.
  const own = model.id === id ? model : emptySession(id)
  return { model: own, connection, failure, loadOlder, seek, refresh }
}

const streamUrl = (id: string, after: string | undefined): string =>
  sessionPath(id, after === undefined ? '/stream' : `/stream?after=${encodeURIComponent(after)}`)
