/** Commands that run now, so that one of them can be stopped by itself while its turn goes on. */

const running = new Map<string, () => void>()
/** Those that have not begun, and are not to go on when they do. */
const unwanted = new Set<string>()
const MOST_UNWANTED = 100

const keyOf = (workspacePath: string, toolCallId: string): string =>
  `${workspacePath}\0${toolCallId}`

/** Until this is disposed of, it can be stopped by the session and the call that it belongs to. */
export function noteRunning(
  workspacePath: string,
  toolCallId: string,
  stop: () => void,
): Disposable {
  const key = keyOf(workspacePath, toolCallId)
  running.set(key, stop)
  if (unwanted.delete(key)) stop()
  return { [Symbol.dispose]: () => void running.delete(key) }
}

/** Of a call that is known to be under way: one that has not begun is stopped when it does. */
export function stopRunning(workspacePath: string, toolCallId: string): boolean {
  const key = keyOf(workspacePath, toolCallId)
  const stop = running.get(key)
  if (stop === undefined && unwanted.size >= MOST_UNWANTED) return false
  if (stop === undefined) unwanted.add(key)
  else stop()
  return true
}
