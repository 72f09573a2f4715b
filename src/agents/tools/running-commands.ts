/** Commands that run now, so that one of them can be stopped by itself while its turn goes on. */

const running = new Map<string, () => void>()

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
  return { [Symbol.dispose]: () => void running.delete(key) }
}

/** False when no such command runs. */
export function stopRunning(workspacePath: string, toolCallId: string): boolean {
  const stop = running.get(keyOf(workspacePath, toolCallId))
  stop?.()
  return stop !== undefined
}
