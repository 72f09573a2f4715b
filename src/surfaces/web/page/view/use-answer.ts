/** An answer of the server that is asked for again whenever what it depends on changes. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import { get, isOffline, sentence, type Query } from '../client.ts'
import { onceBack } from '../live/shared-stream.ts'
import type { Failure } from './failed.tsx'

type Asked<T> = {
  readonly answer: T | undefined
  readonly failure: Failure | undefined
  readonly isLoading: boolean
}

/** Undefined for a path asks nothing. `version` asks again for the same. */
export function useAnswer<T>(
  path: string | undefined,
  query: Query = {},
  { version = 0, delayMs = 0 }: { readonly version?: unknown; readonly delayMs?: number } = {},
): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>(nothing)
  const [tries, setTries] = useState(0)
  const again = useCallback(() => setTries((count) => count + 1), [])
  const key = JSON.stringify(query)
  useEffect(() => {
    if (path === undefined) {
      setAsked(nothing)
      return undefined
    }
    const abort = new AbortController()
    setAsked((before) => ({ ...before, isLoading: true }))
    const timer = setTimeout(() => {
      get<T>(path, JSON.parse(key) as Query, abort.signal).then(
        (answer) => setAsked({ answer, failure: undefined, isLoading: false }),
        (error: unknown) => {
          if (abort.signal.aborted) return
          setAsked({
            answer: undefined,
            failure: { text: sentence(error), again },
            isLoading: false,
          })
          if (isOffline(error)) onceBack(again, abort.signal)
        },
      )
    }, delayMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [path, key, version, delayMs, tries])
  return asked
}

const nothing = { answer: undefined, failure: undefined, isLoading: false }
