/**
 * Holds one session of the page: loads its end or the place that was asked for, follows its stream, and fetches what
 * lies before and after when the user scrolls there.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { SessionAnswer, StreamFrame, TranscriptAnswer } from '../../api.ts'
import {
  get,
  isMissing,
  isOffline,
  isUnauthorized,
  sentence,
  sessionPath,
  type Query,
} from '../client.ts'
import { followAlone } from '../live/single-stream.ts'
import { followSession, onceBack } from '../live/shared-stream.ts'
import type { LinkState } from '../live/messages.ts'
import { createRefresher } from '../live/refresher.ts'
import {
  callsForAnswer,
  emptySession,
  isAtEnd,
  withAnswer,
  withFrames,
  withNewer,
  withOlder,
  withTranscript,
  type SessionModel,
} from '../model/session-model.ts'
import type { Failure } from './failed.tsx'

/** A place in a session: an event, or a turn by its number; and from there on a tool call, or a text that was found. */
export type Anchor = ({ readonly event: string } | { readonly turn: number }) & Meant

type Meant = { readonly call?: string | undefined; readonly text?: string | undefined }

export type OpenSession = {
  readonly model: SessionModel
  /** Of a stream of its own; the page knows of the one that all share. */
  readonly link: LinkState | undefined
  readonly isRefused: boolean
  readonly isMissing: boolean
  readonly failure: Failure | undefined
  /** The entry that was gone to last, and how often something was gone to. */
  readonly shown: Meant & { readonly eventId: string | undefined; readonly times: number }
  readonly loadOlder: () => Promise<void>
  readonly loadNewer: () => Promise<void>
  /** Goes to a place, wherever it is; without one to the end. */
  readonly goTo: (place?: Anchor) => Promise<void>
  readonly refresh: () => void
}

const PAGE = 200
const REFRESH_MS = 120
const LOOK_MS = 10_000
const AGAIN_MS = 3000

type Wish = {
  /** `alone`: a guest has one session, and a stream of its own for it. */
  readonly through?: 'shared' | 'alone'
  readonly at?: Anchor | undefined
}

const NO_TOOLS = {
  refresh: () => {},
  load: async (_place?: Anchor) => {},
  follow: () => {},
  fail: (_error: unknown) => {},
}

export function useSession(id: string, { through = 'shared', at }: Wish = {}): OpenSession {
  const [model, setModel] = useState(() => emptySession(id))
  const [link, setLink] = useState<LinkState>()
  const [isRefused, setRefused] = useState(false)
  const [isGone, setGone] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [shown, show] = useShown()
  const current = useRef(model)
  const loading = useRef(false)
  const tools = useRef(NO_TOOLS)

  const change = useCallback((next: SessionModel) => {
    current.current = next
    setModel(next)
  }, [])

  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    let stop = () => {}
    const {
      now,
      soon,
      stop: stopAsking,
    } = createRefresher({
      ask: () => get<SessionAnswer>(sessionPath(id), {}, signal),
      onAnswer: (answer) => change(withAnswer(current.current, answer)),
      isPassing: isOffline,
      soonMs: REFRESH_MS,
      againMs: AGAIN_MS,
    })
    const tell = (text: string) => setFailure({ text, again: tryAgain })
    const onFrames = (frames: readonly StreamFrame[]) => {
      change(withFrames(current.current, frames))
      if (current.current.isGone) stop()
      else if (current.current.isStale) void load().catch(fail)
      else if (callsForAnswer(frames)) soon()
    }
    const follow = () => {
      stop()
      const { lastEventId, answer } = current.current
      // Who reads in the middle is told what happens now, not all that lies between.
      const after = isAtEnd(current.current) ? lastEventId : answer?.state.lastEventId
      stop =
        through === 'shared'
          ? followSession(id, after, { onFrames, onFailure: tell })
          : followAlone(id, after, { onFrames, onLink: setLink })
    }
    const load = async (place?: Anchor) => {
      stop()
      const query = { limit: PAGE, ...queryOf(place) }
      const page = await get<TranscriptAnswer>(sessionPath(id, '/transcript'), query, signal)
      if (signal.aborted) return
      setFailure(undefined)
      change(withTranscript(current.current, page))
      if (place !== undefined) show(page.anchor, place)
      if (isAtEnd(current.current)) follow()
      await now()
      if (!isAtEnd(current.current) && !signal.aborted) follow()
    }
    /** A place that was rewound since is told, and the end is shown. */
    const loadOrEnd = (place: Anchor | undefined) =>
      load(place).catch(async (error: unknown) => {
        if (place === undefined || signal.aborted) throw error
        await load()
        setFailure({ text: sentence(error) })
      })
    const fail = (error: unknown) => {
      if (signal.aborted) return
      if (isUnauthorized(error)) setRefused(true)
      else if (isMissing(error) && !current.current.isLoaded) setGone(true)
      // What was read of it stays; that it is gone is told only to who still followed it.
      else if (isMissing(error)) onFrames([{ event: 'gone', data: {} }])
      else tell(sentence(error))
      if (isOffline(error)) onceBack(tryAgain, signal)
    }
    const tryAgain = () => {
      setFailure(undefined)
      if (!current.current.isLoaded) return void tools.current.load(at)
      follow()
      soon()
    }
    tools.current = {
      refresh: soon,
      load: (place) => loadOrEnd(place).catch(fail),
      follow,
      fail,
    }

    change(emptySession(id))
    setFailure(undefined)
    setGone(false)
    void loadOrEnd(at).catch(fail)
    // A copy elsewhere that falls behind tells nobody.
    const looking = setInterval(() => {
      if (current.current.answer?.remote !== undefined && !document.hidden) soon()
    }, LOOK_MS)
    return () => {
      clearInterval(looking)
      abort.abort()
      stopAsking()
      stop()
    }
  }, [id, through, change, show])

  const fetchMore = useCallback(
    async (way: 'before' | 'after') => {
      const { [way]: cursor, id: own } = current.current
      if (cursor === undefined || loading.current) return
      loading.current = true
      try {
        const query = { [way]: cursor, limit: PAGE }
        const page = await get<TranscriptAnswer>(sessionPath(own, '/transcript'), query)
        if (current.current.id !== own) return
        const add = way === 'before' ? withOlder : withNewer
        change(add(current.current, cursor, page))
        // The end was reached: from its last event on, what happens is added.
        if (way === 'after' && isAtEnd(current.current)) tools.current.follow()
      } catch (error) {
        tools.current.fail(error)
      } finally {
        loading.current = false
      }
    },
    [change],
  )
  const goTo = useCallback(async (place?: Anchor) => {
    const { entries } = current.current
    if (place !== undefined && 'event' in place)
      if (entries.some(({ eventId }) => eventId === place.event)) return show(place.event, place)
    if (place === undefined && isAtEnd(current.current)) return show(undefined)
    await tools.current.load(place)
    if (place === undefined) show(undefined)
  }, [])
  const own = model.id === id ? model : emptySession(id)
  return {
    // The session that was open before is not shown under the name of this one, not even once.
    model: own,
    link,
    isRefused,
    isMissing: isGone,
    failure,
    shown,
    loadOlder: useCallback(() => fetchMore('before'), [fetchMore]),
    loadNewer: useCallback(() => fetchMore('after'), [fetchMore]),
    goTo,
    refresh: useCallback(() => tools.current.refresh(), []),
  }
}

function useShown() {
  const [shown, setShown] = useState<OpenSession['shown']>({ eventId: undefined, times: 0 })
  const show = useCallback(
    (eventId: string | undefined, { call, text }: Meant = {}) =>
      setShown(({ times }) => ({ eventId, call, text, times: times + 1 })),
    [],
  )
  return [shown, show] as const
}

const queryOf = (place: Anchor | undefined): Query =>
  place === undefined
    ? {}
    : 'event' in place
      ? { around: place.event }
      : { turn: place.turn, text: place.text }
