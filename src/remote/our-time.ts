/** When something was, by the clock of this machine: a clock that is wrong makes nothing older or younger than it is. */
type Timed = {
  readonly startTime: string
  readonly modifiedTime: string
  readonly presence: { readonly heardAt: string; readonly staleAt: string }
}

/** `gapMs`: so much later it is here than where the times are from. */
export function inOurTime<S extends Timed>(session: S, gapMs: number): S {
  if (gapMs === 0) return session
  const here = (iso: string): string => {
    const then = Date.parse(iso) + gapMs
    return Number.isNaN(then) ? iso : new Date(then).toISOString()
  }
  const { startTime, modifiedTime, presence } = session
  const { heardAt, staleAt } = presence
  return {
    ...session,
    startTime: here(startTime),
    modifiedTime: here(modifiedTime),
    presence: { ...presence, heardAt: here(heardAt), staleAt: here(staleAt) },
  }
}
