/** A part of what is kept that is not as it was written. */
export type Fault = {
  readonly path: string
  /**
   * `damaged`: nothing makes it again. `derived`: it is made again from the rest. `foreign`: another home
   * wrote it. `unchecked`: an earlier version wrote it, without what it could be compared with.
   */
  readonly kind: 'damaged' | 'derived' | 'foreign' | 'unchecked'
  /** Goes on behind the name of the file. */
  readonly problem: string
}
