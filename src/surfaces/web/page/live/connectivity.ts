/** Whether this tab reaches the server: looked at when the browser is told that it is offline or a request failed, until it does. */
import { waitBefore } from '../model/backoff.ts'

const SOON_MS = 8000

export function watchReach(onChange: () => void) {
  let failures = 0
  let isLooking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    clearTimeout(timer)
    const before = failures
    // Any answer is one, also that nobody is logged in.
    const request = fetch('/api/server', {
      cache: 'no-store',
      signal: AbortSignal.timeout(SOON_MS),
    })
    failures = await request.then(
      () => 0,
      () => before + 1,
    )
    isLooking = false
    if (failures > 0) timer = setTimeout(() => void look(), waitBefore(failures))
    if (failures !== before) onChange()
  }

  return {
    /** In a row, so far. */
    failures: () => failures,
    look: () => void look(),
  }
}
