/** All times of a lease, in one place so that tests can shorten them. */
export type LeaseLimits = {
  /** A holder shows so often that it lives. */
  readonly heartbeatMs: number
  /** Who waits looks so often whether the holder died. */
  readonly checkMs: number
  /** A holder on this host is frozen when its heartbeat is so old … */
  readonly frozenMs: number
  /** … and a request, which a living holder answers with a heartbeat, stayed unanswered so long. */
  readonly answerMs: number
  /** A holder that cannot be seen from here is given up when its heartbeat stood still so long. */
  readonly abandonedMs: number
  /** A free lease is left so long to the one that asked first. */
  readonly courtesyMs: number
}

export const leaseLimits: LeaseLimits = {
  heartbeatMs: 5_000,
  checkMs: 200,
  frozenMs: 15_000,
  answerMs: 2_000,
  abandonedMs: 60_000,
  courtesyMs: 250,
}
