/**
 * Says the same thing once a minute: what fails at every request fills no log. With it, how often it was not said since.
 */
const EVERY_MS = 60_000

export function sparing(
  say: (message: string) => void,
  now: () => number = () => performance.now(),
): (message: string) => void {
  const said = new Map<string, { readonly at: number; more: number }>()
  return (message) => {
    const before = said.get(message)
    if (before !== undefined && now() - before.at < EVERY_MS) return void (before.more += 1)
    for (const [key, { at, more }] of said)
      if (more === 0 && now() - at >= EVERY_MS) said.delete(key)
    said.set(message, { at: now(), more: 0 })
    say(
      before === undefined || before.more === 0
        ? message
        : `${message} (${before.more} times more before.)`,
    )
  }
}
