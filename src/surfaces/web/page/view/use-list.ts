/** A list of the server, what is done to it, and what is said when that cannot be done. */
import { useCallback, useState } from 'preact/hooks'
import { sentence } from '../client.ts'
import { useAnswer } from './use-answer.ts'

type Say = (text: string) => void
export type Attempt = ReturnType<typeof useAttempt>

export function useList<T>(path: string, say: Say) {
  const [version, setVersion] = useState(0)
  const { answer, failure } = useAnswer<T>(path, {}, { version })
  const refresh = useCallback(() => setVersion((count) => count + 1), [])
  return { answer, failure, act: useAttempt(say, refresh) }
}

/** True when it was done. Whether it was or not, what is shown is asked for again. */
export function useAttempt(say: Say, refresh: () => void) {
  return useCallback(
    async (action: () => Promise<unknown>, said?: string): Promise<boolean> => {
      try {
        await action()
        if (said !== undefined) say(said)
        return true
      } catch (error) {
        say(sentence(error))
        return false
      } finally {
        refresh()
      }
    },
    [say, refresh],
  )
}
